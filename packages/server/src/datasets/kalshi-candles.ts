import { minutesAt, type Span } from "../definition/spans.ts";
import { cents, id, int, iso, num } from "../definition/column.ts";
import { defineDataset, type Asking, type OrderKey } from "../definition/dataset.ts";
import { within } from "../definition/filter.ts";
import { timeLength, dateTime, kalshiTicker } from "../definition/param-kinds.ts";
import { orderKey } from "../definition/sorting.ts";
import { bind, joined, sql, type Bound, type Sql } from "../definition/sql.ts";
import { kalshiCandles } from "../tables/kalshi-candles.ts";
import { lifetimesOfTickers } from "./named-markets.ts";
import { atSecond, filledBuckets, namesOfPage } from "./filled-buckets.ts";
import { fillOf, fillParam } from "../definition/fill.ts";
import { timestampMicros } from "../definition/timestamp.ts";
import { formulaOf } from "./formula-of.ts";
import { servedKalshiCandlesDataset } from "./served-kalshi-candles.ts";

const MICROS = 1_000_000;
const MINUTES: Readonly<Record<string, number>> = { "1m": 1, "1h": 60, "1d": 1440 };
const minutesOf = (interval: Bound | undefined): number => MINUTES[String(interval?.value)] ?? 1;

/** For coverage: the first candle of a range may begin before it, and the last ends in it. */
function wholeAt({ interval }: Readonly<Record<string, Bound>>, ms: number): Span {
  return { from: minutesAt(ms - 1, minutesOf(interval)).from, to: ms };
}

/**
 * Hours and days, from the venue's one-minute candles. Prices are from minutes with a trade; quotes open and close with
 * the first and last minute, even if that has an empty side, which the venue gives as a bid of 0 and an ask of 1.
 */
function longer(minutes: Bound, where: readonly Sql[], isTraded: boolean): Sql {
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
FROM ${own} GROUP BY ticker, bucket ${isTraded ? sql`HAVING count(close) > 0` : sql``}))`;
}

/** Computed columns of a bucket; the ticker and the length are those requested. */
const MADE = ["open", "high", "low", "close", "mean", "volume", "open_interest"];
const SIDES = ["bid", "ask"].flatMap((side) => ["open", "high", "low", "close"].map((end) => `yes_${side}_${end}`));

/** The venue's periods and the quiet ones between, which the nearest trades on either side of the range determine. */
function filled(p: Readonly<Record<string, Bound | undefined>>, asking: Asking, stored: readonly Sql[]): Sql {
  const minutes = minutesOf(p["interval"]);
  const seconds = minutes * 60;
  const numberAt = (requested: Bound | undefined, round: (value: number) => number): number | undefined =>
    requested && round(timestampMicros(requested) / MICROS / seconds) * seconds;
  const isForward = p["start_time"] !== undefined;
  const range = { from: numberAt(p["start_time"], Math.ceil), to: numberAt(p["end_time"], Math.floor) };
  const names = namesOfPage(range, asking, isForward);
  const from = names.from === undefined ? [] : [sql`end_time > ${atSecond(names.from - seconds)}`];
  const to = names.to === undefined ? [] : [sql`end_time <= ${atSecond(names.to)}`];
  const beside = (bound: Sql, direction: Sql): Sql =>
    sql`end_time = (SELECT end_time FROM ${kalshiCandles} FINAL WHERE ${joined([...stored, sql`close IS NOT NULL`], sql` AND `)} AND NOT ${bound} ORDER BY end_time ${direction} LIMIT 1)`;
  const neighbours = [...from.map((bound) => beside(bound, sql`DESC`)), ...to.map((bound) => beside(bound, sql`ASC`))];
  const inRange = sql`(${joined([sql`1`, ...from, ...to], sql` AND `)})`;
  const read = sql`(${joined([inRange, ...neighbours], sql` OR `)})`;
  const length = bind("UInt32", minutes);
  const buckets = filledBuckets(longer(length, [...stored, read], false), {
    numbering: {
      numberOf: (bucket) => sql`intDiv(toUnixTimestamp(${bucket}), ${bind("UInt32", seconds)})`,
      bucketOf: (number) => sql`toDateTime(${number} * ${bind("UInt32", seconds)}, 'UTC')`,
    },
    names,
    order: isForward ? "asc" : "desc",
    rows: asking.rows + asking.offset,
    columns: [...MADE, ...SIDES],
  });
  const ticker = p["ticker"] ?? bind("String", "");
  return sql`(SELECT * EXCEPT (volume), bucket AS end_time, ${ticker} AS ticker, ${length} AS period_minutes, coalesce(volume, 0) AS volume FROM ${buckets})`;
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
    "Kalshi's own one-minute candles of a market with its quotes, and hours and days derived from them: oldest first from `start_time` on, newest first without it.",
  plan: "free",
  params: {
    ticker: kalshiTicker().required().describe("Ticker of the market."),
    interval: timeLength("1m", "1h", "1d").default("1m").describe("Length of a candle. Days are UTC days."),
    fill: fillParam("those reported by the venue without a trade"),
    start_time: dateTime("start").describe(
      "Earliest end of a period, inclusive. If omitted, the newest candle is first and pages go back in time.",
    ),
    end_time: dateTime("end").describe("Latest end of a period, inclusive."),
  },
  row: {
    ticker: id().describe("Ticker of the market."),
    end_time: iso().describe("Inclusive end of the period."),
    open: price("First trade, YES; null where the period had none."),
    high: price("Highest trade."),
    low: price("Lowest trade."),
    close: price("Last trade."),
    mean: price("Mean weighted by contracts; for a minute, the venue's own value."),
    volume: num("contracts").describe("Contracts traded."),
    open_interest: num("contracts").maybe("Open contracts at the end; null if not reported."),
    bid_open: price("First YES bid; null where the side was empty."),
    bid_high: price("Highest YES bid; null where the side was empty throughout."),
    bid_low: price("Lowest YES bid; null where the side was empty at any time."),
    bid_close: price("Last YES bid."),
    ask_open: price("First YES ask; null where the side was empty."),
    ask_high: price("Highest YES ask; null where the side was empty at any time."),
    ask_low: price("Lowest YES ask; null where the side was empty throughout."),
    ask_close: price("Last YES ask."),
    period_minutes: int().describe("Length of the period in minutes."),
  },
  limit: { default: 500, max: 10_000 },
  order: "end_time ascending with start_time, descending without it",
  tables: [kalshiCandles],
  range: { from: "start_time", to: "end_time", wholeAt, goesBack: "without from" },
  lifetimes: lifetimesOfTickers,
  query: (p, asking) => {
    const count = minutesOf(p.interval);
    const isTraded = fillOf(p.fill) === "none";
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
      ...(fillOf(p.fill) === "previous"
        ? { from: filled(p, asking, stored) }
        : {
            from: count === 1 ? sql`${kalshiCandles} FINAL` : longer(minutes, [...stored, ...inRange], isTraded),
            where: [
              ...(count === 1 ? stored : []),
              ...(count === 1 && isTraded ? [sql`close IS NOT NULL`] : []),
              ...within(sql`end_time`, start, end),
            ],
          }),
      order: start ? oldestFirst : newestFirst,
    };
  },
  served: { ...servedKalshiCandlesDataset, order: [byEnd] as const },
  formula: formulaOf("kalshi-candles"),
  notes: [
    "Candles without a trade are omitted unless `fill` requests them, as are periods that the venue omitted. With `fill` previous, a quiet candle appears once a later trade is stored.",
    "Days are UTC days. Kalshi's own days end at midnight in New York.",
    "An hour or a day that has not ended covers the minutes received so far.",
  ],
  related: [573, 565, 1102],
  examples: [{ title: "The newest minutes of a market", params: { ticker: "<ticker>" } }],
});
