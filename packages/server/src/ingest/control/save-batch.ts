import type { Kysely, Transaction } from "kysely";
import type { Batch } from "../../definition/connector.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import { saveProgress } from "./stream-record.ts";

/** Alike notices within this time are one, counted up. */
const ONE_NOTICE_MS = 3_600_000;

export type BackfillRange = { readonly stream: string; readonly from: string; readonly to: string };

/** Ends the reason of a gap that a backfill itself noticed: finishing it does not fill that gap. */
export function seenBy({ from, to }: BackfillRange): string {
  return ` (seen while backfilling ${from} to ${to})`;
}

/** Writes down, in one transaction, where a stream is after its batch was stored, its notices and its gap. */
export async function saveBatch(
  db: Kysely<RecordsSchema>,
  stream: string,
  batch: Batch,
  stored: number,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (work) => {
    await saveProgress(work, stream, { ...batch, stored }, now);
    await saveRemarks(work, stream, batch, now);
  });
}

/** The same for a backfill, which has a place of its own. */
export async function saveBackfillBatch(
  db: Kysely<RecordsSchema>,
  range: BackfillRange,
  batch: Batch,
  stored: number,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (work) => {
    await work
      .updateTable("backfills")
      .set((set) => ({
        cursor: JSON.stringify(batch.cursor),
        ...(batch.reached === undefined ? {} : { reached: batch.reached }),
        rows_stored: set("rows_stored", "+", stored),
        updated_at: now,
      }))
      .where("stream", "=", range.stream)
      .where("range_from", "=", new Date(range.from))
      .where("range_to", "=", new Date(range.to))
      .execute();
    const { gap, ...remarks } = batch;
    const seen = gap === undefined ? remarks : { ...remarks, gap: { ...gap, reason: `${gap.reason}${seenBy(range)}` } };
    await saveRemarks(work, range.stream, seen, now);
  });
}

async function saveRemarks(work: Transaction<RecordsSchema>, stream: string, batch: Batch, now: Date): Promise<void> {
  const { gap } = batch;
  if (gap) {
    await work
      .insertInto("gaps")
      .values({ stream, from_at: gap.from, to_at: gap.to, reason: gap.reason, opened_at: now })
      .execute();
  }
  for (const { kind, text, count } of batch.notices ?? []) {
    const alike = await work
      .updateTable("notices")
      .set((set) => ({ count: set("count", "+", count), noticed_at: now }))
      .where("stream", "=", stream)
      .where("kind", "=", kind)
      .where("text", "=", text)
      .where("noticed_at", ">", new Date(now.getTime() - ONE_NOTICE_MS))
      .executeTakeFirst();
    if (alike.numUpdatedRows > 0n) continue;
    await work.insertInto("notices").values({ stream, kind, text, count, noticed_at: now }).execute();
  }
}
