import type { Asking } from "../definition/dataset.ts";
import { fillOf } from "../definition/fill.ts";
import { timestampMicros } from "../definition/timestamp.ts";
import type { Span } from "../definition/spans.ts";
import { bind, fromDefinition, joined, sql, type Bound, type Named, type Sql } from "../definition/sql.ts";
import { bookQuotes } from "../tables/book-quotes.ts";
import { polymarketCandles } from "../tables/polymarket-candles.ts";
import { bucketOf, floorOf, isOfDays, longestOf, numberingOf, wholeAt } from "./candle-intervals.ts";
import { atSecond, filledBuckets, namesOfPage } from "./filled-buckets.ts";

/** The newest version of each minute of one instrument: cheaper here than FINAL. */
const newest = (table: Named, where: Sql): Sql =>
  sql`(SELECT * FROM ${table} WHERE ${where} ORDER BY minute, version DESC LIMIT 1 BY minute)`;

const QUOTES = ["bid_open", "bid_high", "bid_low", "bid_close", "ask_open", "ask_high", "ask_low", "ask_close"];
const firstQuote = (column: string): string => `(argMinIf(tuple(${column}), minute, is_quote)).1`;
const lastQuote = (column: string): string => `(argMaxIf(tuple(${column}), minute, is_quote)).1`;
const TRADED = ["open", "high", "low", "close", "price_sum", "volume", "volume_usd", "trade_count"];

/**
 * The aggregates skip null traded prices (minutes with quotes only). Quotes open and close with the first and last
 * quoted minute, even if that has an empty side, so that bid and ask are from the same book.
 */
function aggregate(column: string): string {
  const quote = QUOTES.includes(column);
  if (column.endsWith("open")) return `${quote ? firstQuote(column) : `argMin(${column}, minute)`} AS ${column}`;
  if (column.endsWith("close")) return `${quote ? lastQuote(column) : `argMax(${column}, minute)`} AS ${column}`;
  if (column.endsWith("high")) return `max(${column}) AS ${column}`;
  return column.endsWith("low") ? `min(${column}) AS ${column}` : `sum(${column}) AS ${column}`;
}

const aggregates = fromDefinition([...TRADED, ...QUOTES].map(aggregate).join(", "));
const tradedOnly = fromDefinition(
  [
    "false AS is_quote",
    ...TRADED.map((one) => `toNullable(${one}) AS ${one}`),
    ...QUOTES.map((one) => `NULL AS ${one}`),
  ].join(", "),
);
const quotesOnly = fromDefinition(["true AS is_quote", ...TRADED.map((one) => `NULL AS ${one}`), ...QUOTES].join(", "));

type Minutes = { readonly traded: Sql; readonly quoted: Sql; readonly isTraded: boolean };

/** Buckets of a token's minutes; with `isTraded` only those of minutes with a trade. */
function candlesOf(bucket: Sql, tokenId: Bound, { traded, quoted, isTraded }: Minutes): Sql {
  const trades = newest(polymarketCandles, sql`token_id = toUInt256(${tokenId}) AND ${traded}`);
  const quotes = newest(bookQuotes, sql`instrument = ${tokenId} AND ${quoted}`);
  return sql`(SELECT ${bucket} AS bucket, ${aggregates} FROM (SELECT minute, ${tradedOnly} FROM ${trades} UNION ALL SELECT minute, ${quotesOnly} FROM ${quotes}) GROUP BY bucket ${isTraded ? sql`HAVING count(close) > 0` : sql``})`;
}

type Requested = Readonly<Partial<Record<"interval" | "fill" | "start_time" | "end_time" | "tz", Bound>>> & {
  readonly tokenId: Bound;
};

/** Candles of a token as `fill` requires: bucket, traded prices and quotes. */
export function candlesOfToken(requested: Requested, asking: Asking): Sql {
  const { tokenId, start_time: start, end_time: end } = requested;
  const fill = fillOf(requested.fill);
  if (fill === "previous") return filled(requested, asking);
  const [interval, zone] = [String(requested.interval?.value), requested.tz ?? bind("String", "UTC")];
  const bucket = bucketOf(interval, zone);
  const longest = longestOf(interval);
  const inRange = joined(
    [
      sql`1`,
      ...(start ? [sql`${bucket} >= ${floorOf(start, interval, zone)}`, sql`minute >= ${start} - ${longest}`] : []),
      ...(end ? [sql`${bucket} <= ${end}`, sql`minute <= ${end} + ${longest}`] : []),
    ],
    sql` AND `,
  );
  return candlesOf(bucket, tokenId, { traded: inRange, quoted: inRange, isTraded: fill === "none" });
}

const DAY = 86_400;

/** Traded, quoted and quiet buckets of a page; the nearest trades on either side of its range fill the ones between. */
function filled({ tokenId, ...requested }: Requested, asking: Asking): Sql {
  const { interval = bind("String", "1m"), tz = bind("String", "UTC") } = requested;
  const whole = (seconds: number): Span => wholeAt({ interval, tz }, seconds * 1000);
  // Mid-bucket, because a day begins later where clocks go forward at midnight.
  const within = (timestamp: Bound | undefined): number | undefined => {
    const span = timestamp && whole(timestampMicros(timestamp) / 1_000_000);
    return span && Math.floor((span.from + span.to) / 2000);
  };
  const isForward = requested.start_time !== undefined;
  const names = namesOfPage({ from: within(requested.start_time), to: within(requested.end_time) }, asking, isForward);
  const more = isOfDays(String(interval.value)) ? DAY : 0;
  const from = names.from === undefined ? [] : [sql`minute >= ${atSecond(whole(names.from).from / 1000 - more)}`];
  const to = names.to === undefined ? [] : [sql`minute <= ${atSecond(Math.floor(whole(names.to).to / 1000) + more)}`];
  const inRange = joined([sql`1`, ...from, ...to], sql` AND `);
  const beside = (bound: Sql, direction: Sql): Sql =>
    sql`minute = (SELECT minute FROM ${polymarketCandles} WHERE token_id = toUInt256(${tokenId}) AND NOT ${bound} ORDER BY minute ${direction} LIMIT 1)`;
  const neighbours = [...from.map((bound) => beside(bound, sql`DESC`)), ...to.map((bound) => beside(bound, sql`ASC`))];
  const traded = sql`(${joined([sql`(${inRange})`, ...neighbours], sql` OR `)})`;
  const bucket = bucketOf(String(interval.value), tz);
  return filledBuckets(candlesOf(bucket, tokenId, { traded, quoted: inRange, isTraded: false }), {
    numbering: numberingOf(String(interval.value), tz),
    names,
    order: isForward ? "asc" : "desc",
    rows: asking.rows + asking.offset,
    columns: [...TRADED, ...QUOTES],
  });
}
