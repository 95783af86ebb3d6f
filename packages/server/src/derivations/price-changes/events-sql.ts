import { sql, type Sql } from "../../definition/sql.ts";
import { bookQuotes } from "../../tables/book-quotes.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";

/**
 * Traded and quoted minutes: `token_id`, `minute`, `is_trade`, `price` (last trade, or the middle of the last quotes),
 * `volume`, `trade_count`. `ofToken` and `ofInstrument` are conditions on the rows of candles and of quotes.
 */
export const eventsSql = (
  ofToken: Sql,
  ofInstrument: Sql,
): Sql => sql`SELECT token_id, minute, true AS is_trade, close AS price, volume, trade_count FROM ${polymarketCandles} FINAL WHERE ${ofToken}
UNION ALL
SELECT toUInt256(instrument), minute, false, toDecimal64((assumeNotNull(bid_close) + assumeNotNull(ask_close)) / 2, 6), toDecimal64(0, 6), 0
FROM ${bookQuotes} FINAL WHERE ${ofInstrument} AND bid_close IS NOT NULL AND ask_close IS NOT NULL`;
