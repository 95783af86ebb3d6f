import type { Kysely } from "kysely";
import type { RecordsSchema } from "../records/schema.ts";

/** From where accounts, users, keys and plans are managed; every change is written to the audit under `actor`. */
export type Desk = {
  readonly db: Kysely<RecordsSchema>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** An e-mail address, or the command line's user. */
  readonly actor: string;
  /** Who is signed in; absent on the command line. */
  readonly userId?: string;
};
