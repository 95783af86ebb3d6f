import { dec, id, int, iso, text } from "../definition/column.ts";
import { daysAt, minutesAt } from "../definition/bucket-at.ts";
import { defineDataset, type OrderKey } from "../definition/dataset.ts";
import { timeLength, moment, slug, timeZone, token } from "../definition/param-kinds.ts";
import type { Span } from "../definition/spans.ts";
import { orderKey } from "../definition/sorting.ts";
import { bind, fromDefinition, joined, sql, type Bound, type Named, type Sql } from "../definition/sql.ts";
import { bookQuotes } from "../tables/book-quotes.ts";
import { polymarketCandles } from "../tables/polymarket-candles.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { firstTokenBySlug } from "./by-market-slug.ts";
import { formulaOf } from "./formula-of.ts";
import { servedCandlesDataset } from "./served-candles.ts";

const MINUTES: Readonly<Record<string, number>> = { "1m": 1, "5m": 5, "15m": 15, "1h": 60, "4h": 240 };

/** Start of the bucket a minute is in. Days and weeks (from Monday) begin at midnight of the zone. */
function bucketOf(interval: string, zone: Bound): Sql {
  const minutes = MINUTES[interval];
  if (minutes !== undefined) return sql`toStartOfInterval(minute, toIntervalMinute(${bind("UInt32", minutes)}), 'UTC')`;
  const day = interval === "1w" ? sql`toStartOfWeek(minute, 1, ${zone})` : sql`toDate(minute, ${zone})`;
  return sql`toTimeZone(toDateTime(${day}, ${zone}), 'UTC')`;
}

/** No bucket is longer, clocks put forward or back included. */
function longestOf(interval: string): Sql {
  const minutes = MINUTES[interval];
  return minutes === undefined ? sql`toIntervalDay(8)` : sql`toIntervalMinute(${bind("UInt32", minutes)})`;
}

/** The same for coverage, as a stretch of Unix ms. */
function wholeAt({ interval, tz }: Readonly<Record<string, Bound>>, ms: number): Span {
  const minutes = MINUTES[String(interval?.value)];
  if (minutes !== undefined) return minutesAt(ms, minutes);
  return daysAt(ms, interval?.value === "1w" ? 7 : 1, String(tz?.value ?? "UTC"));
}

/** The newest version of each minute of one instrument: cheaper here than FINAL. */
const newest = (table: Named, where: Sql): Sql =>
  sql`(SELECT * FROM ${table} WHERE ${where} ORDER BY minute, version DESC LIMIT 1 BY minute)`;

const QUOTES = ["bid_open", "bid_high", "bid_low", "bid_close", "ask_open", "ask_high", "ask_low", "ask_close"];
const firstQuote = (column: string): string => `(argMinIf(tuple(${column}), minute, is_quote)).1`;
const lastQuote = (column: string): string => `(argMaxIf(tuple(${column}), minute, is_quote)).1`;
const TRADED = ["open", "high", "low", "close", "price_sum", "volume", "volume_usd", "trade_count"];

/**
 * Of nulls of traded prices (minutes that were only quoted) the aggregates take no notice. Quotes open and close by the
 * first and the last quoted minute, also where that has an empty side: so bid and ask are of one book.
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

const byBucket = orderKey(sql`bucket`, "desc", "seconds", "candle_time");
const oldestLast: OrderKey[] = [byBucket];
const oldestFirst: OrderKey[] = oldestLast.map((key) => ({ ...key, direction: "asc" }));

const money = (): ReturnType<typeof dec> => dec(6, "USD per share");
const ofToken = (field: Sql, tokenId: Bound): Sql =>
  sql`nullIf(dictGet('polymarket_token_info', ${field}, toUInt256(${tokenId})), '')`;

export const polymarketCandlesDataset = defineDataset({
  agentId: 568,
  name: "polymarket-candles",
  title: "Polymarket candles",
  summary:
    "Candles of an outcome token from fills and stored quotes, for open and resolved markets alike, oldest first.",
  plan: "free",
  params: {
    token_id: token().required("market_slug").describe("Outcome token; this or market_slug is required."),
    interval: timeLength("1m", "5m", "15m", "1h", "4h", "1d", "1w")
      .default("1m")
      .describe("Length of a candle. Weeks begin on Monday."),
    start_time: moment("start").describe(
      "First moment, inclusive; the candle that holds it is included. Without it pages start at the newest candles and go back.",
    ),
    end_time: moment("end").describe("Last moment, inclusive; the candle that holds it is included whole."),
    tz: timeZone().default("UTC").describe("Time zone in which days and weeks begin (1d and 1w only)."),
    market_slug: slug().alias("slug").describe("Market: its first outcome's token. token_id goes before it."),
  },
  named: firstTokenBySlug,
  row: {
    candle_time: iso().describe("Start of the candle."),
    open: money().maybe("First price; null where nothing was traded and only quotes are known."),
    high: money().maybe("Highest price."),
    low: money().maybe("Lowest price."),
    close: money().maybe("Last price."),
    mean: money().maybe("Mean of the trades' prices, each trade alike."),
    volume: dec(6, "shares").describe("Shares traded; each match counts once."),
    trade_count: int().describe("Trades."),
    outcome: text().maybe("Label of the outcome; null until the market is known."),
    condition_id: id().maybe("Condition; null until the market is known."),
    token_id: id().describe("Outcome token."),
    ask_open: money().maybe("First best ask; null where no quote is stored or the side was empty then."),
    ask_high: money().maybe("Highest best ask."),
    ask_low: money().maybe("Lowest best ask."),
    ask_close: money().maybe("Last best ask; null where the side was empty then."),
    bid_open: money().maybe("First best bid; null where no quote is stored or the side was empty then."),
    bid_high: money().maybe("Highest best bid."),
    bid_low: money().maybe("Lowest best bid."),
    bid_close: money().maybe("Last best bid; null where the side was empty then."),
    spread: money().maybe("Last best ask minus last best bid; null where a side was empty then."),
    volume_usd: dec(6, "USD").describe("Notional; each match counts once."),
    vwap: money().maybe("Notional over shares."),
  },
  limit: { default: 500, max: 10_000 },
  order: "candle_time ascending; without start_time each page is ascending and the pages go back from the newest",
  tables: [polymarketCandles, bookQuotes, polymarketTokens],
  venue: "polymarket",
  range: { from: "start_time", to: "end_time", wholeAt },
  query: (p) => {
    const tokenId = p.token_id ?? bind("String", "0");
    const bucket = bucketOf(String(p.interval?.value), p.tz ?? bind("String", "UTC"));
    const [start, end] = [p.start_time, p.end_time];
    const longest = longestOf(String(p.interval?.value));
    const inRange = joined(
      [
        sql`1`,
        ...(start ? [sql`${bucket} >= ${floorOf(start, p.interval, p.tz)}`, sql`minute >= ${start} - ${longest}`] : []),
        ...(end ? [sql`${bucket} <= ${end}`, sql`minute <= ${end} + ${longest}`] : []),
      ],
      sql` AND `,
    );
    return {
      select: {
        candle_time: sql`bucket`,
        mean: sql`toDecimal128(price_sum, 12) / nullIf(trade_count, 0)`,
        volume: sql`coalesce(volume, 0)`,
        trade_count: sql`coalesce(trade_count, 0)`,
        outcome: ofToken(sql`'outcome'`, tokenId),
        condition_id: ofToken(sql`'condition_id'`, tokenId),
        token_id: sql`${tokenId}`,
        spread: sql`ask_close - bid_close`,
        volume_usd: sql`coalesce(volume_usd, 0)`,
        vwap: sql`toDecimal128(volume_usd, 12) / nullIf(volume, 0)`,
      },
      from: sql`(SELECT ${bucket} AS bucket, ${aggregates} FROM (SELECT minute, ${tradedOnly} FROM ${newest(polymarketCandles, sql`token_id = toUInt256(${tokenId}) AND ${inRange}`)} UNION ALL SELECT minute, ${quotesOnly} FROM ${newest(bookQuotes, sql`instrument = ${tokenId} AND ${inRange}`)}) GROUP BY bucket)`,
      order: start ? oldestFirst : oldestLast,
      ...(start ? {} : { isShownReversed: true }),
    };
  },
  served: { ...servedCandlesDataset, order: [byBucket] },
  formula: formulaOf("polymarket-candles"),
  notes: [
    "Candles without a trade are there where quotes are stored, with null prices; without either they are absent.",
  ],
  related: [556, 572, 596],
  examples: [
    {
      title: "The newest hours of a token",
      params: {
        token_id: "32149075508013559759530301374325154840376606241902462330314232457265357774481",
        interval: "1h",
      },
    },
  ],
});

function floorOf(start: Bound, interval: Bound | undefined, zone: Bound | undefined): Sql {
  const bucket = bucketOf(String(interval?.value), zone ?? bind("String", "UTC"));
  return sql`(SELECT ${bucket} FROM (SELECT toDateTime(${start}, 'UTC') AS minute))`;
}
