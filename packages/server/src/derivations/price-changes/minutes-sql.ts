import { nothing, sql, type Sql } from "../../definition/sql.ts";
import { bookQuotes } from "../../tables/book-quotes.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";

/** An instrument of `book_quotes_1m` that is a token of Polymarket. */
export const IS_TOKEN: Sql = sql`match(instrument, '^[0-9]+$')`;

const ORDER = sql`ORDER BY token_id, minute`;

/** Statements of the traded and the quoted minutes of some tokens. */
export type MinutesSql = { readonly traded: Sql; readonly quoted: Sql };

/**
 * `ofToken` and `ofInstrument` are conditions on the rows of candles and of quotes; `more` are further traded minutes.
 * A quote's price is the middle of the last bid and ask.
 */
export const minutesSql = (ofToken: Sql, ofInstrument: Sql, more: Sql = nothing): MinutesSql => ({
  traded: sql`SELECT token_id, minute, close, volume, trade_count FROM (SELECT token_id, minute, close, volume, trade_count FROM ${polymarketCandles} FINAL WHERE ${ofToken} ${more}) ${ORDER}`,
  quoted: sql`SELECT toUInt256(instrument) AS token_id, minute, toDecimal64((assumeNotNull(bid_close) + assumeNotNull(ask_close)) / 2, 6)
FROM ${bookQuotes} FINAL WHERE ${ofInstrument} AND bid_close IS NOT NULL AND ask_close IS NOT NULL ${ORDER}`,
});
