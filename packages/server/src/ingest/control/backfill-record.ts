import type { Kysely, Selectable } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";
import { seenBy, type BackfillRange } from "./save-batch.ts";

export type BackfillRow = Selectable<RecordsSchema["backfills"]>;

/** The record of a backfill, made at its first start: a second start of the same range goes on where it was. */
export async function openBackfill(db: Kysely<RecordsSchema>, range: BackfillRange, now: Date): Promise<BackfillRow> {
  await db
    .insertInto("backfills")
    .values({
      stream: range.stream,
      range_from: new Date(range.from),
      range_to: new Date(range.to),
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(["stream", "range_from", "range_to"]).doNothing())
    .execute();
  return db
    .selectFrom("backfills")
    .selectAll()
    .where("stream", "=", range.stream)
    .where("range_from", "=", new Date(range.from))
    .where("range_to", "=", new Date(range.to))
    .executeTakeFirstOrThrow();
}

/** Ends a backfill; the stream's gaps that lie within its range are filled by it, but for those it saw itself. */
export async function finishBackfill(db: Kysely<RecordsSchema>, range: BackfillRange, now: Date): Promise<void> {
  await db.transaction().execute(async (work) => {
    await work
      .updateTable("backfills")
      .set({ finished_at: now, updated_at: now })
      .where("stream", "=", range.stream)
      .where("range_from", "=", new Date(range.from))
      .where("range_to", "=", new Date(range.to))
      .execute();
    await work
      .updateTable("gaps")
      .set({ filled_at: now })
      .where("stream", "=", range.stream)
      .where("filled_at", "is", null)
      .where("reason", "not like", `%${seenBy(range)}`)
      .where("from_at", ">=", new Date(range.from))
      .where("to_at", "<=", new Date(range.to))
      .execute();
  });
}
