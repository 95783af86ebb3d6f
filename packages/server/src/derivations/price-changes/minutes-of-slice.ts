import type { Slice } from "../../definition/derivation.ts";
import { bind, joined, sql, type Sql } from "../../definition/sql.ts";
import { bookQuotes } from "../../tables/book-quotes.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { isOfSlice, tokenSlices } from "../token-slices.ts";

/** An instrument of `book_quotes_1m` that is a token of Polymarket. */
export const IS_TOKEN: Sql = sql`match(instrument, '^[0-9]+$')`;

const ORDER = sql`ORDER BY token_id, minute`;

/** Statements that read the traded and the quoted minutes of some tokens. */
export type MinutesSql = { readonly traded: Sql; readonly quoted: Sql };

/**
 * `ofToken` and `ofInstrument` are conditions on the rows of candles and of quotes. A quote's price is the middle of
 * the last bid and ask.
 */
export const minutesSql = (ofToken: Sql, ofInstrument: Sql): MinutesSql => ({
  traded: sql`SELECT token_id, minute, close, volume, trade_count FROM ${polymarketCandles} FINAL WHERE ${ofToken} ${ORDER}`,
  quoted: sql`SELECT toUInt256(instrument) AS token_id, minute, toDecimal64((assumeNotNull(bid_close) + assumeNotNull(ask_close)) / 2, 6)
FROM ${bookQuotes} FINAL WHERE ${ofInstrument} AND bid_close IS NOT NULL AND ask_close IS NOT NULL ${ORDER}`,
});

/** Number of minutes of candles and quotes of each token. */
const counted = sql`SELECT token_id, sum(n) AS n FROM (
  SELECT token_id, count() AS n FROM ${polymarketCandles} GROUP BY token_id
  UNION ALL SELECT toUInt256(instrument), count() FROM ${bookQuotes} WHERE ${IS_TOKEN} GROUP BY instrument
) GROUP BY token_id`;

/** Ranges of tokens with about `minutes` minutes each. */
export const minuteSlices = (minutes: number): Sql => tokenSlices(counted, minutes);

/** All minutes of the tokens of a slice; of all tokens if absent. */
export const minutesOfSlice = (slice: Slice | undefined): MinutesSql =>
  slice ? minutesSql(isOfSlice(slice), isQuoteOfSlice(slice)) : minutesSql(sql`true`, IS_TOKEN);

/**
 * Whether a quote's token is in the slice. Numbers with the same number of digits sort like their text, by which quotes
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
