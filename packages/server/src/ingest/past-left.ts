import type { Kysely } from "kysely";
import { mergeSpans, without, type Span } from "../definition/spans.ts";
import type { RecordsSchema } from "../records/schema.ts";
import type { BackfillRun } from "./backfill.ts";
import { findBackfills, heldBy, type BackfillRow } from "./control/backfill-record.ts";
import { findStream } from "./control/save-batch.ts";

type Range = BackfillRun["range"];

/**
 * The parts of a requested history range (ISO, half-open) left to walk, newest first. Unfinished walks no longer than
 * the request are resumed as they are; new walks cover what neither these, nor finished ones, nor the live stream
 * cover.
 */
export async function findPastLeft(db: Kysely<RecordsSchema>, stream: string, wish: Range): Promise<readonly Range[]> {
  const [row, walks] = await Promise.all([findStream(db, stream), findBackfills(db, stream)]);
  const wished = { from: Date.parse(wish.from), to: Date.parse(wish.to) };
  const begun = goneOnWith(walks, wished);
  const live = row?.reached && row.since ? [{ from: row.since.getTime(), to: wished.to }] : [];
  const held = mergeSpans([...begun.map(rangeOf), ...walks.flatMap(heldBy), ...live]);
  return [...begun.map(rangeOf), ...without([wished], held)].toSorted((a, b) => b.to - a.to).map(toRange);
}

/** Unfinished walks to resume; of overlapping ones the furthest. */
function goneOnWith(walks: readonly BackfillRow[], wished: Span): BackfillRow[] {
  const begun: BackfillRow[] = [];
  for (const walk of walks.toSorted((a, b) => b.rows_stored - a.rows_stored)) {
    const span = rangeOf(walk);
    const isWished = span.to > wished.from && span.from < wished.to && span.to - span.from <= wished.to - wished.from;
    const isTaken = begun.map(rangeOf).some((one) => one.to > span.from && one.from < span.to);
    if (walk.finished_at === null && isWished && !isTaken) begun.push(walk);
  }
  return begun;
}

const rangeOf = ({ range_from: from, range_to: to }: BackfillRow): Span => ({ from: from.getTime(), to: to.getTime() });

const toRange = ({ from, to }: Span): Range => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});
