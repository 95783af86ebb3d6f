import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

/** Whether the records say of anything that it was gathered. */
export async function isGathered(db: Kysely<RecordsSchema>): Promise<boolean> {
  for (const table of ["streams", "backfills"] as const) {
    const found = await db
      .selectFrom(table)
      .select("reached")
      .where((row) => row.or([row("reached", "is not", null), row("cursor", "is not", null)]))
      .limit(1)
      .executeTakeFirst();
    if (found) return true;
  }
  return false;
}
