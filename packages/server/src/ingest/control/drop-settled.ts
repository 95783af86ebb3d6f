import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

/** Longer than any deriver stands still: it finds in filled gaps which rows were taken back. */
const KEPT_MS = 90 * 86_400_000;

/** Takes away what is over for long: filled gaps, pages that were read since, and notices. */
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
