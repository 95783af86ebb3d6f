import { fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { bookQuotes } from "../../tables/book-quotes.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { EXTENTS } from "./extents.ts";
import { PRICE_RESOLUTIONS } from "./price-resolutions.ts";
import { TOUCHED } from "./touched-sql.ts";

const number = (value: number): Sql => fromDefinition(String(value));
const LENGTHS = fromDefinition(`[${Object.values(PRICE_RESOLUTIONS).join(", ")}]`);

/** The first and last bucket of `s` seconds (numbers) of which rows may differ after minutes `lo` to `hi` changed. */
export const FIRST_CHANGED: Sql = sql`(intDiv(lo, s) - ${number(EXTENTS.near)})`;
export const LAST_CHANGED: Sql = sql`(intDiv(hi, s) + ${number(EXTENTS.reach + EXTENTS.near)})`;

/** As far back as the longest buckets reach. */
const SINCE = sql`(SELECT toDateTime(min(lo) - ${number((EXTENTS.reach + 2 * EXTENTS.near + 1) * PRICE_RESOLUTIONS["1d"])}, 'UTC') FROM ${TOUCHED})`;
const OWN = sql`(SELECT token_id FROM ${TOUCHED})`;

const traded = sql`SELECT token_id, minute, close, volume, trade_count, lagInFrame(toNullable(close), 1, NULL) OVER (PARTITION BY token_id ORDER BY minute ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS previous
FROM (
  SELECT token_id, minute, close, volume, trade_count FROM ${polymarketCandles} FINAL WHERE token_id IN ${OWN} AND minute >= ${SINCE}
  UNION ALL
  SELECT token_id, max(minute) AS at, argMax(close, (minute, version)), toDecimal64(0, 6), 0 FROM ${polymarketCandles} WHERE token_id IN ${OWN} AND minute < ${SINCE} GROUP BY token_id
)`;

const quoted = sql`SELECT toUInt256(instrument) AS token_id, minute, toDecimal64((assumeNotNull(bid_close) + assumeNotNull(ask_close)) / 2, 6) AS close, toDecimal64(0, 6) AS volume, 0 AS trade_count, NULL AS previous
FROM ${bookQuotes} FINAL WHERE instrument IN (SELECT toString(token_id) FROM ${TOUCHED}) AND minute >= ${SINCE} AND bid_close IS NOT NULL AND ask_close IS NOT NULL`;

/**
 * What happened in each bucket of the touched tokens, at every resolution: `token_id`, `s` (seconds), `b` (number of the
 * bucket), `is_traded`, `close` (the middle of the last quotes where nothing was traded), `previous_close`, `volume`,
 * `trade_count`, `fair` (middle of the last quotes, else close), and whether it `is_changed` itself: buckets that changed
 * ones hang on are there too.
 */
export const BARS: Sql = sql`SELECT token_id, s, b, any(is_own) AS is_changed, countIf(is_trade) > 0 AS is_traded,
  argMax(price, (is_trade, minute)) AS close, argMinIf(tuple(previous), minute, is_trade).1 AS previous_close,
  sum(volume) AS volume, toUInt32(sum(trade_count)) AS trade_count, argMax(price, (NOT is_trade, minute)) AS fair
FROM (
  SELECT token_id, minute, is_trade, price, previous, volume, trade_count, lo, hi, arrayJoin(${LENGTHS}) AS s, intDiv(toInt64(toUnixTimestamp(minute)), s) AS b, b BETWEEN ${FIRST_CHANGED} AND ${LAST_CHANGED} AS is_own
  FROM (
    SELECT token_id, minute, true AS is_trade, close AS price, previous, volume, trade_count FROM (${traded})
    UNION ALL
    SELECT token_id, minute, false, close, previous, volume, trade_count FROM (${quoted})
  ) AS e INNER JOIN ${TOUCHED} AS t ON t.token_id = e.token_id
)
WHERE b BETWEEN ${FIRST_CHANGED} - ${number(EXTENTS.reach + EXTENTS.near)} AND ${LAST_CHANGED} + ${number(EXTENTS.near)}
GROUP BY token_id, s, b`;
