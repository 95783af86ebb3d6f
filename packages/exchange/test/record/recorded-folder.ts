import { existsSync } from "node:fs";
import { join } from "node:path";

/** The folder of real recordings beside the project: read in place, never copied. */
export const RECORDED = join(import.meta.dirname, "../../../../../shared/recorded");
export const ABSENT = !existsSync(RECORDED);
/** For the name of a suite that is left out without it. */
export const REASON = ABSENT ? " (skipped: ../shared/recorded is absent)" : "";
