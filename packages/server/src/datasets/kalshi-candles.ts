import { minutesAt } from "../definition/bucket-at.ts";
import { cents, id, int, iso, num } from "../definition/column.ts";
import { defineDataset, type OrderKey } from "../definition/dataset.ts";
import { within } from "../definition/filter.ts";
import { timeLength, moment, kalshiTicker } from "../definition/param-kinds.ts";
import type { Span } from "../definition/spans.ts";
import { orderKey } from "../definition/sorting.ts";
import { bind, joined, sql, type Bound, type Sql } from "../definition/sql.ts";
import { kalshiCandles } from "../tables/kalshi-candles.ts";
import { formulaOf } from "./formula-of.ts";
import { servedKalshiCandlesDataset } from "./served-kalshi-candles.ts";

const MINUTES: Readonly<Record<string, number>> = { "1m": 1, "1h": 60, "1d": 1440 };
const minutesOf = (interval: Bound | undefined): number => MINUTES[String(interval?.value)] ?? 1;

/** For coverage: the first candle of a range may begin before it, the last ends in it. */
function wholeAt({ interval }: Readonly<Record<string, Bound>>, ms: number): Span {
  return { from: minutesAt(ms - 1, minutesOf(interval)).from, to: ms };
}

/**
 * Hours and days, from the venue's candles of a minute. Prices are of minutes with a trade; quotes open and close by the
 * first and the last minute, also where that has an empty side, which to the venue is a bid of 0 and an ask of 1.
 */
function longer(minutes: Bound, where: readonly Sql[]): Sql {
  const length = sql`toIntervalMinute(${minutes})`;
  const own = sql`(SELECT *, toStartOfInterval(end_time - 1, ${length}, 'UTC') + ${length} AS bucket,
    toDecimal128(mean, 6) * volume AS mean_volume, if(mean IS NULL, NULL, volume) AS volume_of_mean
  FROM ${kalshiCandles} FINAL WHERE ${joined(where, sql` AND `)})`;
  return sql`(SELECT *, bucket AS end_time, ${minutes} AS period_minutes FROM (SELECT ticker, bucket,
  argMin(open, end_time) AS open, max(high) AS high, min(low) AS low, argMax(close, end_time) AS close,
  round(sum(mean_volume) / nullIf(sum(volume_of_mean), 0), 6) AS mean,
  sum(volume) AS volume, argMax(open_interest, end_time) AS open_interest,
  (argMin(tuple(yes_bid_open), end_time)).1 AS yes_bid_open, max(yes_bid_high) AS yes_bid_high,
  nullIf(min(coalesce(yes_bid_low, 0)), 0) AS yes_bid_low, (argMax(tuple(yes_bid_close), end_time)).1 AS yes_bid_close,
  (argMin(tuple(yes_ask_open), end_time)).1 AS yes_ask_open,
  nullIf(max(coalesce(yes_ask_high, 1)), 1) AS yes_ask_high, min(yes_ask_low) AS yes_ask_low,
  (argMax(tuple(yes_ask_close), end_time)).1 AS yes_ask_close
FROM ${own} GROUP BY ticker, bucket))`;
}

const byEnd = orderKey(sql`end_time`, "desc", "seconds", "end_time");
const newestFirst: OrderKey[] = [byEnd];
const oldestFirst: OrderKey[] = newestFirst.map((key) => ({ ...key, direction: "asc" }));

const price = (about: string) => cents().maybe(about);

export const kalshiCandlesDataset = defineDataset({
  agentId: 1101,
  name: "kalshi-candles",
  title: "Kalshi candles",
  summary:
    "Kalshi's own candles of a minute of a market with its quotes, and hours and days made of them, oldest first. Periods the venue left out are absent.",
  plan: "free",
  params: {
    ticker: kalshiTicker().required().describe("Ticker of the market."),
    interval: timeLength("1m", "1h", "1d").default("1m").describe("Length of a candle. Days are of UTC."),
    start_time: moment("start").describe(
      "First end of a period, inclusive. Without it pages start at the newest candles and go back.",
    ),
    end_time: moment("end").describe("Last end of a period, inclusive."),
  },
  row: {
    ticker: id().describe("Ticker of the market."),
    end_time: iso().describe("Inclusive end of the period."),
    open: price("First trade, YES; null where the period had none."),
    high: price("Highest trade."),
    low: price("Lowest trade."),
    close: price("Last trade."),
    mean: price("Mean by contracts: of a minute as the venue gives it."),
    volume: num("contracts").describe("Contracts traded."),
    open_interest: num("contracts").maybe("Open contracts at the end; null where not given."),
    bid_open: price("First YES bid; null where the side was empty."),
    bid_high: price("Highest YES bid; null where the side was empty throughout."),
    bid_low: price("Lowest YES bid; null where the side was empty for a time."),
    bid_close: price("Last YES bid."),
    ask_open: price("First YES ask; null where the side was empty."),
    ask_high: price("Highest YES ask; null where the side was empty for a time."),
    ask_low: price("Lowest YES ask; null where the side was empty throughout."),
    ask_close: price("Last YES ask."),
    period_minutes: int().describe("Length of the period in minutes."),
  },
  limit: { default: 500, max: 10_000 },
  order: "end_time ascending; without start_time each page is ascending and the pages go back from the newest",
  tables: [kalshiCandles],
  range: { from: "start_time", to: "end_time", wholeAt },
  query: (p) => {
    const count = minutesOf(p.interval);
    const minutes = bind("UInt32", count);
    const [start, end] = [p.start_time, p.end_time];
    const stored = [sql`ticker = ${p.ticker ?? bind("String", "")}`, sql`period_minutes = 1`];
    const inRange = [
      ...(start ? [sql`end_time > ${start} - toIntervalMinute(${minutes})`] : []),
      ...(end ? [sql`end_time <= ${end}`] : []),
    ];
    return {
      select: {
        bid_open: sql`yes_bid_open`,
        bid_high: sql`yes_bid_high`,
        bid_low: sql`yes_bid_low`,
        bid_close: sql`yes_bid_close`,
        ask_open: sql`yes_ask_open`,
        ask_high: sql`yes_ask_high`,
        ask_low: sql`yes_ask_low`,
        ask_close: sql`yes_ask_close`,
      },
      from: count === 1 ? sql`${kalshiCandles} FINAL` : longer(minutes, [...stored, ...inRange]),
      where: [...(count === 1 ? stored : []), ...within(sql`end_time`, start, end)],
      order: start ? oldestFirst : newestFirst,
      ...(start ? {} : { isShownReversed: true }),
    };
  },
  served: { ...servedKalshiCandlesDataset, order: [byEnd] },
  formula: formulaOf("kalshi-candles"),
  notes: [
    "Days are of UTC. Kalshi's own days end at midnight in New York.",
    "An hour or a day whose end is still to come is of the minutes told so far.",
  ],
  related: [573, 565, 1102],
  examples: [{ title: "The newest minutes of a market", params: { ticker: "KXNBAGAME-25APR19DETNYK-NYK" } }],
});
