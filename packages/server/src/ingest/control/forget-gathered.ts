import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

/** In an order in which none points at one that is gone. */
const GATHERED = [
  "gaps",
  "parked",
  "notices",
  "streams",
  "backfills",
  "followed",
  "derivations",
  "outdated_spans",
  "retention",
] as const;

/** Forgets what was gathered and worked out, and how far: all of it begins anew. Accounts, keys and usage stay. */
export async function forgetGathered(db: Kysely<RecordsSchema>): Promise<void> {
  await db.transaction().execute(async (work) => {
    for (const table of GATHERED) await work.deleteFrom(table).execute();
  });
}
