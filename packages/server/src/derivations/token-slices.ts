import type { Slice, Rebuild } from "../definition/derivation.ts";
import { bind, fromDefinition, sql, type Sql } from "../definition/sql.ts";
import { copyOf } from "../definition/table.ts";
import { polymarketFills } from "../tables/polymarket-fills.ts";

/**
 * Ranges of tokens with about the same number of rows each, according to `counted` (`token_id`, `n`); a token is never
 * split.
 */
export const tokenSlices = (
  counted: Sql,
  rows: number,
): Sql => sql`SELECT toString(min(token_id)) AS first, toString(max(token_id)) AS last
FROM (SELECT token_id, intDiv(sum(n) OVER (ORDER BY token_id) - n, ${fromDefinition(String(rows))}) AS slice FROM (${counted}))
GROUP BY slice ORDER BY min(token_id)`;

/** Whether a row's token is in the slice. */
export const isOfSlice = ({ first, last }: Slice): Sql =>
  sql`token_id >= toUInt256(${bind("String", first)}) AND token_id <= toUInt256(${bind("String", last)})`;

const fillsByToken = copyOf(polymarketFills, "polymarket_fills_by_token");
const FILLS_A_SLICE = 2_000_000;

/** Ranges of tokens with about the same number of fills each. */
export const FILL_SLICES: Sql = tokenSlices(
  sql`SELECT token_id, count() AS n FROM ${fillsByToken} GROUP BY token_id`,
  FILLS_A_SLICE,
);

/** The chain's order of fills, as bytes: keeping the first and last of tuples with hashes costs three times as much. */
const PLACE = sql`concat(reverse(reinterpretAsFixedString(ts)), reverse(reinterpretAsFixedString(block_number)), reverse(reinterpretAsFixedString(log_index)), tx_hash, order_hash)`;

/** Fills with their price and their `place`: of a slice of tokens, else of the buckets, which begin at `start`. */
export const pricedFills = (rebuild: Rebuild, start: Sql): Sql =>
  sql`(SELECT *, toDecimal64(round(toDecimal128(usd, 12) / shares, 6), 6) AS price, ${PLACE} AS place FROM ${chosen(rebuild, start)} AND shares > 0)`;

function chosen({ from, to, starts, slice }: Rebuild, start: Sql): Sql {
  if (slice) return sql`${fillsByToken} WHERE ${isOfSlice(slice)}`;
  const inRange = sql`ts >= parseDateTimeBestEffort(${bind("String", from)}, 'UTC') AND ts < parseDateTimeBestEffort(${bind("String", to)}, 'UTC')`;
  const inBuckets = starts
    ? sql`${start} IN (SELECT toDateTime(arrayJoin(${bind("Array(UInt32)", starts)}), 'UTC'))`
    : sql`1`;
  return sql`${polymarketFills} WHERE ${inRange} AND ${inBuckets}`;
}
