import { sql, type Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";

/** Marks pages as read and their gaps as filled, in one step. Call it once their rows are stored. Returns how many. */
export function settlePages(db: Kysely<RecordsSchema>, ids: readonly number[], now: Date): Promise<number> {
  if (ids.length === 0) return Promise.resolve(0);
  return db.transaction().execute(async (work) => {
    const settled = await work
      .updateTable("parked")
      .set({ replayed_at: now })
      .where("id", "in", ids)
      .where("replayed_at", "is", null)
      .returning("id")
      .execute();
    await work
      .updateTable("gaps")
      .set({ filled_at: now, to_at: sql<Date>`coalesce(to_at, ${now}::timestamptz)` })
      .where("parked_id", "in", ids)
      .where("filled_at", "is", null)
      .execute();
    return settled.length;
  });
}
