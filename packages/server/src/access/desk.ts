import type { Kysely } from "kysely";
import type { RecordsSchema } from "../records/schema.ts";

/** From where accounts, keys and plans are managed; every change is written to the audit under `actor`. */
export type Desk = {
  readonly db: Kysely<RecordsSchema>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly actor: string;
};
