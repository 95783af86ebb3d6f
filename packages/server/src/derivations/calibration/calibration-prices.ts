import { amongDays } from "../../definition/filter.ts";
import { defineDaysDerivation } from "../../definition/day-derivation.ts";
import { bind, joined, name, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { calibrationPrices } from "../../tables/calibration-prices.ts";
import { kalshiMarkets } from "../../tables/kalshi-markets.ts";
import { kalshiTrades } from "../../tables/kalshi-trades.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { polymarketResolutions } from "../../tables/polymarket-resolutions.ts";
import { copyOf } from "../../definition/table.ts";
import { closingDaysSql, resolutionsSql, resolvedDaysSql } from "../market-facts-sql.ts";
import { RowReader } from "../wallet-score/row-reader.ts";

/** Hours before the end at which a price is recorded. */
const HORIZONS = sql`[1, 24, 168]`;

/** Prices of 20,000 markets are looked up at once: rows are ordered by market, so a few read as much as many. */
const endedByDay = (days: Bound): Sql => {
  const ended = sql`SELECT toDate(closed_date, 'UTC') AS day FROM ${polymarketMarkets} UNION ALL SELECT toDate(settled_time, 'UTC') FROM ${kalshiMarkets}`;
  return sql`SELECT toString(day) AS day, toString(50 * count()) AS size FROM (${ended}) WHERE ${amongDays(sql`day`, days)} GROUP BY day`;
};

/**
 * Resolutions of a day → the price of outcome 0 at each horizon before the end. The end is the earliest of the
 * resolution, the end of trading and, on Polymarket, the scheduled end, so that a result already known is no forecast.
 */
export const calibrationPricesFromResolutions = defineDaysDerivation({
  name: "calibration-prices",
  title: "Prices of resolved markets before their end",
  from: [polymarketResolutions, polymarketMarkets, polymarketCandles, kalshiMarkets, kalshiTrades],
  into: calibrationPrices,
  after: [],
  touched: ({ since }) => {
    const stored = since ? sql`ingested_at >= fromUnixTimestamp64Micro(toInt64(${since}))` : sql`1`;
    return sql`${resolvedDaysSql(stored)} UNION DISTINCT ${closingDaysSql(stored)} UNION DISTINCT SELECT toDate(assumeNotNull(settled_time), 'UTC') AS day FROM ${kalshiMarkets} WHERE ${stored} AND isNotNull(settled_time)`;
  },
  sizes: endedByDay,
  rowsOfSlice: async function* (days, _slice, readBytes) {
    const rows = sql`SELECT *, false AS is_gone FROM (${polymarketPrices(days)} UNION ALL ${kalshiPrices(days)})`;
    const bytes = Buffer.from(await readBytes(sql`SELECT ${STORED} FROM (${rows})`, "RowBinary"));
    if (bytes.length > 0) yield { kind: "packed", bytes, starts: startsOf(bytes) };
  },
});

/** The columns in their stored form. */
const STORED = joined(
  Object.entries(calibrationPrices.columns)
    .filter(([column]) => column !== "version")
    .map(([column, { stored }]) => sql`CAST(${name(column)}, ${bind("String", stored)})`),
  sql`, `,
);

/** Offset at which each row begins: a day and a venue, a text, a number, a text, two amounts and a flag. */
function startsOf(bytes: Uint8Array): number[] {
  const [row, starts]: [RowReader, number[]] = [new RowReader(bytes), []];
  while (row.isLeft()) {
    starts.push(row.at);
    row.skip(3);
    row.skip(row.varint());
    row.skip(4);
    row.skip(row.varint());
    row.skip(17);
  }
  return starts;
}

/** A scalar, because the markets that ended are named more than once and the engine computes a subquery each time. */
const requested = (fields: Sql): Sql =>
  sql`(SELECT ${fields}, arrayJoin(${HORIZONS}) AS horizon FROM (SELECT arrayJoin(ended_list) AS each))`;

function polymarketPrices(days: Bound): Sql {
  const resolved = sql`(SELECT one.1 AS condition_id, one.2 AS payout, one.3 AS resolved_at FROM (SELECT arrayJoin(resolved_list) AS one))`;
  const head = sql`WITH (SELECT groupArray((condition_id, payouts[1], ts)) FROM ${resolutionsSql({ days })}) AS resolved_list,
  (SELECT groupArray((condition_id, category, side_a_token_id, payout, least(resolved_at, coalesce(end_date, resolved_at), coalesce(closed_date, resolved_at)), toDate(resolved_at, 'UTC'))) FROM ${polymarketMarkets} FINAL INNER JOIN ${resolved} AS r USING (condition_id) WHERE condition_id IN (SELECT condition_id FROM ${resolved})) AS ended_list`;
  const markets = requested(
    sql`each.1 AS condition_id, each.2 AS category, each.3 AS token_id, each.4 AS payout, each.6 AS day, each.5 - toIntervalHour(horizon) - INTERVAL 1 MINUTE AS minute`,
  );
  // Filtered by the sorting key first, so that only the key is read for other tokens.
  const candles = sql`(SELECT token_id, minute, close FROM ${polymarketCandles} FINAL PREWHERE token_id IN (SELECT arrayJoin(ended_list).3))`;
  return sql`${head} SELECT 'polymarket' AS venue, concat('0x', lower(hex(a.condition_id))) AS market, toUInt32(a.horizon) AS horizon_hours, a.category AS category, c.close AS price, a.payout AS payout, a.day AS day
FROM ${markets} AS a ASOF INNER JOIN ${candles} AS c ON c.token_id = a.token_id AND c.minute <= a.minute`;
}

function kalshiPrices(days: Bound): Sql {
  const settled = amongDays(sql`toDate(settled_time, 'UTC')`, days);
  // Found first without FINAL, which would merge the whole catalogue.
  const head = sql`WITH (SELECT groupArray((ticker, category, assumeNotNull(settlement_value), assumeNotNull(least(settled_time, coalesce(close_time, settled_time))), toDate(assumeNotNull(settled_time), 'UTC'))) FROM ${kalshiMarkets} FINAL WHERE ticker IN (SELECT ticker FROM ${kalshiMarkets} WHERE ${settled}) AND isNotNull(settlement_value) AND ${settled}) AS ended_list`;
  const markets = requested(
    sql`each.1 AS ticker, each.2 AS category, each.3 AS payout, each.5 AS day, each.4 - toIntervalHour(horizon) AS created_time`,
  );
  // Of several trades at the same time, the newest is the last in the order of the tape.
  const trades = sql`(SELECT ticker, created_time, argMax(yes_price, trade_id) AS yes_price FROM ${copyOf(kalshiTrades, "kalshi_trades_by_ticker")} WHERE ticker IN (SELECT arrayJoin(ended_list).1) GROUP BY ticker, created_time SETTINGS optimize_aggregation_in_order = 1)`;
  return sql`${head} SELECT 'kalshi' AS venue, a.ticker AS market, toUInt32(a.horizon) AS horizon_hours, a.category AS category, t.yes_price AS price, a.payout AS payout, a.day AS day
FROM ${markets} AS a ASOF INNER JOIN ${trades} AS t ON t.ticker = a.ticker AND t.created_time <= a.created_time`;
}
