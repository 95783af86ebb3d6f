import type { Kysely } from "kysely";
import { mergeSpans, without, type Span } from "../definition/spans.ts";
import type { RecordsSchema } from "../records/schema.ts";
import type { BackfillRun } from "./backfill.ts";
import { findBackfills, type BackfillRow } from "./control/backfill-record.ts";
import { findStream } from "./control/save-batch.ts";
import { sourcesOf, type Derivation } from "../definition/derivation.ts";
import { name, sql } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";

/** Unix seconds, half-open, both ends of buckets. */
export type Chunk = { readonly from: number; readonly to: number };

/** Buckets of one statement: ten days of minutes, a month of days. To plan a statement a day costs more than sparse days. */
const BUCKETS_A_CHUNK = 14_400;
const CHUNK_SECONDS = 31 * 86_400;
/** A statement keeps its groups in memory, at most one a row: about so many rows of the sources. */
const ROWS_A_CHUNK = 2_000_000;
const DAY = 86_400;

/**
 * Cuts a range into what one statement works out: at most so many buckets and, taking the rows of a day as spread
 * evenly over it, so many rows; a bucket at least.
 */
export async function planChunks(
  derivation: Derivation,
  range: Chunk,
  store: Pick<Store, "rows">,
  rowsAChunk = ROWS_A_CHUNK,
): Promise<readonly Chunk[]> {
  const size = derivation.bucketSeconds;
  const longest = Math.max(1, Math.min(BUCKETS_A_CHUNK, Math.floor(CHUNK_SECONDS / size))) * size;
  const rowsOf = await countDays(derivation, store);
  const chunks: Chunk[] = [];
  let { from } = range;
  while (from < range.to) {
    const until = Math.min(range.to, from + longest);
    const to = reach(from, until, size, rowsAChunk, (moment) => (rowsOf.get(Math.floor(moment / DAY)) ?? 0) / DAY);
    chunks.push({ from, to });
    from = to;
  }
  return chunks;
}

/** How far so many rows reach, day by day. */
function reach(
  from: number,
  until: number,
  size: number,
  rows: number,
  rowsASecond: (moment: number) => number,
): number {
  let left = rows;
  for (let to = from; to < until;) {
    const dayEnds = (Math.floor(to / DAY) + 1) * DAY;
    const next = Math.min(until, to + Math.ceil((dayEnds - to) / size) * size);
    const found = rowsASecond(to) * (next - to);
    if (found > left) {
      const buckets = Math.floor((left / found) * ((next - to) / size));
      return Math.max(from + size, to + buckets * size);
    }
    left -= found;
    to = next;
  }
  return until;
}

/** Rows of all sources a day (days since 1970). */
async function countDays(derivation: Derivation, store: Pick<Store, "rows">): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  for (const source of sourcesOf(derivation)) {
    const found = await store.rows<{ day: string; n: string }>(
      sql`SELECT toString(intDiv(toUnixTimestamp(${name(derivation.moment)}), 86400)) AS day, toString(count()) AS n FROM ${source} GROUP BY 1`,
    );
    for (const { day, n } of found) counts.set(Number(day), (counts.get(Number(day)) ?? 0) + Number(n));
  }
  return counts;
}

type Range = BackfillRun["range"];

/**
 * What of a wished past of a stream (ISO, half-open) is left to walk, newest first. Walks that were begun before and are
 * no longer than the wish go on as they are; anew is walked what neither these hold, nor finished ones, nor the live stream.
 */
export async function findPastLeft(db: Kysely<RecordsSchema>, stream: string, wish: Range): Promise<readonly Range[]> {
  const [row, walks] = await Promise.all([findStream(db, stream), findBackfills(db, stream)]);
  const wished = { from: Date.parse(wish.from), to: Date.parse(wish.to) };
  const begun = goneOnWith(walks, wished);
  const live = row?.reached && row.since ? [{ from: row.since.getTime(), to: wished.to }] : [];
  const held = mergeSpans([...begun.map(rangeOf), ...walks.flatMap(heldBy), ...live]);
  return [...begun.map(rangeOf), ...without([wished], held)].toSorted((a, b) => b.to - a.to).map(toRange);
}

/** Of those that overlap, the one that came furthest. */
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

function heldBy({ range_from: from, range_to: to, finished_at: done, reached }: BackfillRow): Span[] {
  const end = done ? to : reached;
  return end ? [{ from: from.getTime(), to: end.getTime() }] : [];
}

const toRange = ({ from, to }: Span): Range => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});
