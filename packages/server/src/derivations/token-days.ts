import { defineDerivation } from "../definition/derivation.ts";
import { bind, nothing, sql, type Sql } from "../definition/sql.ts";
import { bookQuotes } from "../tables/book-quotes.ts";
import { polymarketCandles } from "../tables/polymarket-candles.ts";
import { tokenDays } from "../tables/token-days.ts";
import { isQuoteOfSlice, minuteSlices, IS_TOKEN } from "./price-changes/minutes-of-slice.ts";
import { isOfSlice } from "./token-slices.ts";

const MINUTES_A_SLICE = 2_000_000;

/** Candles and quotes → a token's last prices of the day: the last trade, and the middle of the last bid and ask. */
export const tokenDaysFromMinutes = defineDerivation({
  name: "token-days",
  title: "Last prices of the day from candles and quotes",
  from: polymarketCandles,
  also: [bookQuotes],
  into: tokenDays,
  timestamp: "minute",
  bucketSeconds: 86_400,
  gatherSeconds: 20,
  slices: minuteSlices(MINUTES_A_SLICE),
  rebuild: ({ from, to, starts, slice, changedSince, version }) => {
    const inRange = sql`minute >= parseDateTimeBestEffort(${bind("String", from)}, 'UTC') AND minute < parseDateTimeBestEffort(${bind("String", to)}, 'UTC')`;
    const chosen =
      starts === undefined
        ? inRange
        : sql`${inRange} AND toDate(minute, 'UTC') IN (SELECT toDate(toDateTime(arrayJoin(${bind("Array(UInt32)", starts)}), 'UTC'), 'UTC'))`;
    const since = changedSince === undefined ? undefined : bind("UInt64", changedSince);
    const changed = sql`IN (SELECT arrayJoin(changed_tokens))`;
    const head = since ? sql`WITH (${changedSql(sql`version >= ${since}`, chosen)}) AS changed_tokens ` : nothing;
    const changedTrade = since ? sql`token_id ${changed} AND` : nothing;
    const changedQuote = since ? sql`instrument IN (SELECT toString(arrayJoin(changed_tokens))) AND` : nothing;
    const known = since
      ? sql`LEFT JOIN (SELECT token_id, day, mark AS known_mark, if(marked_version = 0, version, marked_version) AS known_marked, content AS known_content FROM ${tokenDays} FINAL WHERE token_id ${changed} AND day >= toDate(parseDateTimeBestEffort(${bind("String", from)}, 'UTC'), 'UTC')) AS k USING (token_id, day) WHERE content != known_content`
      : nothing;
    // A row without `marked_version` got its mark when it was written, or before.
    const marked = since ? sql`if(known_mark = mark AND known_marked != 0, known_marked, version)` : sql`version`;
    return sql`INSERT INTO ${tokenDays} (token_id, day, trade_close, mid_close, mark, volume_usd, trade_count, marked_version, version, content)
${head}SELECT token_id, day, trade_close, mid_close, mark, volume_usd, trade_count, ${marked} AS marked_version, version, content FROM (
  SELECT token_id, day, trade_close, mid_close, assumeNotNull(ifNull(mid_close, trade_close)) AS mark, volume_usd, trade_count, ${bind("UInt64", version)} AS version,
    cityHash64(toString(tuple(trade_close, mid_close, volume_usd, trade_count))) AS content
  FROM (
    SELECT token_id, day, anyIf(close, is_trade) AS trade_close, anyIf(close, NOT is_trade) AS mid_close,
      sum(usd) AS volume_usd, toUInt32(sum(trades)) AS trade_count
    FROM (
      SELECT token_id, toDate(minute, 'UTC') AS day, true AS is_trade, toNullable(argMax(close, minute)) AS close,
        sum(volume_usd) AS usd, sum(trade_count) AS trades
      FROM ${polymarketCandles} FINAL WHERE ${slice ? isOfSlice(slice) : sql`${changedTrade} ${chosen}`} GROUP BY token_id, day
      UNION ALL
      SELECT toUInt256(instrument) AS token_id, toDate(minute, 'UTC') AS day, false AS is_trade,
        (argMax(tuple(toDecimal64((bid_close + ask_close) / 2, 6)), minute)).1 AS close, toDecimal64(0, 6) AS usd, 0 AS trades
      FROM ${bookQuotes} FINAL WHERE ${slice ? isQuoteOfSlice(slice) : sql`${changedQuote} ${chosen} AND ${IS_TOKEN}`} GROUP BY instrument, day
    )
    GROUP BY token_id, day
  )
  WHERE trade_close IS NOT NULL OR mid_close IS NOT NULL
) AS made ${known}`;
  },
});

/** A scalar, so that it is computed once: the tokens with a candle or a quote written since. */
function changedSql(since: Sql, chosen: Sql): Sql {
  return sql`SELECT groupUniqArray(token_id) FROM (SELECT token_id FROM ${polymarketCandles} WHERE ${since} AND ${chosen} UNION ALL SELECT toUInt256(instrument) AS token_id FROM ${bookQuotes} WHERE ${since} AND ${chosen} AND ${IS_TOKEN})`;
}
