import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

/** Longer than any deriver is stopped: derivers find in filled gaps which rows were rolled back. */
const KEPT_MS = 90 * 86_400_000;

/** Deletes records settled long ago: filled gaps, replayed pages, and notices. */
export async function dropSettled(db: Kysely<RecordsSchema>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  await db.deleteFrom("gaps").where("filled_at", "<", before).execute();
  await db
    .deleteFrom("parked")
    .where("replayed_at", "<", before)
    .where((page) =>
      page.not(page.exists(page.selectFrom("gaps").select("gaps.id").whereRef("gaps.parked_id", "=", "parked.id"))),
    )
    .execute();
  await db.deleteFrom("notices").where("noticed_at", "<", before).execute();
}
