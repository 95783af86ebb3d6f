import type { Slice } from "../../definition/derivation.ts";
import { bind, joined, sql, type Sql } from "../../definition/sql.ts";
import { bookQuotes } from "../../tables/book-quotes.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { IS_TOKEN, minutesSql, type MinutesSql } from "./minutes-sql.ts";

const MINUTES_A_SLICE = sql`100000`;

const counted = sql`SELECT token_id, sum(n) AS n FROM (
  SELECT token_id, count() AS n FROM ${polymarketCandles} GROUP BY token_id
  UNION ALL SELECT toUInt256(instrument), count() FROM ${bookQuotes} WHERE ${IS_TOKEN} GROUP BY instrument
) GROUP BY token_id`;

/** Runs of tokens with about a hundred thousand minutes each; a token is never cut in two. */
export const SLICES: Sql = sql`SELECT toString(min(token_id)) AS first, toString(max(token_id)) AS last
FROM (SELECT token_id, intDiv(sum(n) OVER (ORDER BY token_id) - n, ${MINUTES_A_SLICE}) AS slice FROM (${counted}))
GROUP BY slice ORDER BY min(token_id)`;

/** All minutes of the tokens of a slice; of all tokens where there is none. */
export const minutesOfSlice = (slice: Slice | undefined): MinutesSql =>
  slice ? minutesSql(ofToken(slice), ofInstrument(slice)) : minutesSql(sql`true`, IS_TOKEN);

const ofToken = ({ first, last }: Slice): Sql =>
  sql`token_id >= toUInt256(${bind("String", first)}) AND token_id <= toUInt256(${bind("String", last)})`;

/** Numbers of as many digits are in the order of their text, by which quotes are stored. */
function ofInstrument({ first, last }: Slice): Sql {
  const ranges: Sql[] = [];
  for (let digits = first.length; digits <= last.length; digits += 1) {
    const low = digits === first.length ? first : `1${"0".repeat(digits - 1)}`;
    const high = digits === last.length ? last : "9".repeat(digits);
    ranges.push(
      sql`(instrument >= ${bind("String", low)} AND instrument <= ${bind("String", high)} AND length(instrument) = ${bind("UInt8", digits)})`,
    );
  }
  return sql`(${joined(ranges, sql` OR `)}) AND ${IS_TOKEN}`;
}
