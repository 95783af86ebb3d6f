import { sourcesOf, type Derivation } from "../definition/derivation.ts";
import { name, sql } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";

/** Unix seconds, half-open, aligned to buckets. */
export type Chunk = { readonly from: number; readonly to: number };

/**
 * Buckets per statement: ten days of minutes, a month of days. With sparse days, planning one statement per day would
 * cost more.
 */
const BUCKETS_A_CHUNK = 14_400;
const CHUNK_SECONDS = 31 * 86_400;
/** A statement keeps its groups in memory, at most one per row: approximate number of source rows per statement. */
const ROWS_A_CHUNK = 2_000_000;
const DAY = 86_400;

/**
 * Splits a range into what one statement derives: at most so many buckets and, assuming that rows are spread evenly
 * over a day, so many rows; at least one bucket.
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
    const to = reach(
      from,
      until,
      size,
      rowsAChunk,
      (timestamp) => (rowsOf.get(Math.floor(timestamp / DAY)) ?? 0) / DAY,
    );
    chunks.push({ from, to });
    from = to;
  }
  return chunks;
}

/** The end of a chunk of so many rows, found day by day. */
function reach(
  from: number,
  until: number,
  size: number,
  rows: number,
  rowsASecond: (timestamp: number) => number,
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

/** Rows of all sources per day (days since 1970). */
async function countDays(derivation: Derivation, store: Pick<Store, "rows">): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  for (const source of sourcesOf(derivation)) {
    const found = await store.rows<{ day: string; n: string }>(
      sql`SELECT toString(intDiv(toUnixTimestamp(${name(derivation.timestamp)}), 86400)) AS day, toString(count()) AS n FROM ${source} GROUP BY 1`,
    );
    for (const { day, n } of found) counts.set(Number(day), (counts.get(Number(day)) ?? 0) + Number(n));
  }
  return counts;
}
