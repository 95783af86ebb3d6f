import { join } from "node:path";

export const REPOSITORY = join(import.meta.dirname, "../../../..");
