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
