import type { Slice } from "../../definition/derivation.ts";
import { bind, joined, sql, type Sql } from "../../definition/sql.ts";
import { bookQuotes } from "../../tables/book-quotes.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { isOfSlice, tokenSlices } from "../token-slices.ts";
import { IS_TOKEN, minutesSql, type MinutesSql } from "./minutes-sql.ts";

/** How many minutes of candles and quotes each token has. */
const counted = sql`SELECT token_id, sum(n) AS n FROM (
  SELECT token_id, count() AS n FROM ${polymarketCandles} GROUP BY token_id
  UNION ALL SELECT toUInt256(instrument), count() FROM ${bookQuotes} WHERE ${IS_TOKEN} GROUP BY instrument
) GROUP BY token_id`;

/** Runs of tokens with about so many minutes each. */
export const minuteSlices = (minutes: number): Sql => tokenSlices(counted, minutes);

/** All minutes of the tokens of a slice; of all tokens where there is none. */
export const minutesOfSlice = (slice: Slice | undefined): MinutesSql =>
  slice ? minutesSql(isOfSlice(slice), isQuoteOfSlice(slice)) : minutesSql(sql`true`, IS_TOKEN);

/**
 * Whether a quote is of a token of the slice. Numbers of as many digits are in the order of their text, by which quotes
 * are stored.
 */
export function isQuoteOfSlice({ first, last }: Slice): Sql {
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
