import { dec, id, int, iso, text } from "../definition/column.ts";
import { defineDataset, type OrderKey } from "../definition/dataset.ts";
import { fillParam } from "../definition/fill.ts";
import { dateTime, slug, timeLength, token } from "../definition/param-kinds.ts";
import { timeZone } from "../definition/locale-params.ts";
import { orderKey } from "../definition/sorting.ts";
import { bind, sql } from "../definition/sql.ts";
import { bookQuotes } from "../tables/book-quotes.ts";
import { polymarketCandles } from "../tables/polymarket-candles.ts";
import { polymarketTokens, textOfToken } from "../tables/polymarket-tokens.ts";
import { lifetimesOfTokens, firstTokenBySlug } from "./named-markets.ts";
import { wholeAt } from "./candle-intervals.ts";
import { candlesOfToken } from "./candles-of-token.ts";
import { formulaOf } from "./formula-of.ts";
import { servedCandlesDataset } from "./served-candles.ts";

const byBucket = orderKey(sql`bucket`, "desc", "seconds", "candle_time");
const newestFirst: OrderKey[] = [byBucket];
const oldestFirst: OrderKey[] = newestFirst.map((key) => ({ ...key, direction: "asc" }));

const money = (): ReturnType<typeof dec> => dec(6, "USD per share");

export const polymarketCandlesDataset = defineDataset({
  agentId: 568,
  name: "polymarket-candles",
  title: "Polymarket candles",
  summary:
    "Candles of an outcome token from fills and stored quotes, for open and resolved markets: oldest first from `start_time` on, newest first without it.",
  plan: "free",
  params: {
    token_id: token().required("market_slug").describe("Outcome token; this or market_slug is required."),
    interval: timeLength("1m", "5m", "15m", "1h", "4h", "1d", "1w")
      .default("1m")
      .describe("Length of a candle. Weeks begin on Monday."),
    start_time: dateTime("start").describe(
      "First timestamp, inclusive, with the candle containing it. If omitted, the newest candle is first and pages go back in time.",
    ),
    end_time: dateTime("end").describe("Last timestamp, inclusive; the candle containing it is included in full."),
    fill: fillParam("those for which quotes are stored"),
    tz: timeZone().default("UTC").describe("Time zone in which days and weeks begin (1d and 1w only)."),
    market_slug: slug().alias("slug").describe("Market: its first outcome's token. token_id takes precedence."),
  },
  named: firstTokenBySlug,
  row: {
    candle_time: iso().describe("Start of the candle."),
    open: money().maybe("First price; null where there are only quotes and no trades (fill: quotes)."),
    high: money().maybe("Highest price."),
    low: money().maybe("Lowest price."),
    close: money().maybe("Last price."),
    mean: money().maybe("Mean of the trades' prices, unweighted."),
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
    vwap: money().maybe("Notional / shares."),
  },
  limit: { default: 500, max: 10_000 },
  order: "candle_time ascending with start_time, descending without it",
  tables: [polymarketCandles, polymarketTokens],
  alsoReads: [bookQuotes],
  venue: "polymarket",
  range: { from: "start_time", to: "end_time", wholeAt, goesBack: "without from" },
  lifetimes: lifetimesOfTokens,
  query: (p, asking) => {
    const tokenId = p.token_id ?? bind("String", "0");
    return {
      select: {
        candle_time: sql`bucket`,
        mean: sql`toDecimal128(price_sum, 12) / nullIf(trade_count, 0)`,
        volume: sql`coalesce(volume, 0)`,
        trade_count: sql`coalesce(trade_count, 0)`,
        outcome: textOfToken("outcome", sql`toUInt256(${tokenId})`),
        condition_id: textOfToken("condition_id", sql`toUInt256(${tokenId})`),
        token_id: sql`${tokenId}`,
        spread: sql`ask_close - bid_close`,
        volume_usd: sql`coalesce(volume_usd, 0)`,
        vwap: sql`toDecimal128(volume_usd, 12) / nullIf(volume, 0)`,
      },
      from: candlesOfToken({ ...p, tokenId }, asking),
      order: p.start_time ? oldestFirst : newestFirst,
    };
  },
  served: { ...servedCandlesDataset, order: [byBucket] as const },
  formula: formulaOf("polymarket-candles"),
  notes: [
    "Candles without a trade are omitted unless `fill` requests them. With `fill` previous, a quiet candle appears once a later trade is stored.",
  ],
  related: [556, 572, 596],
  examples: [
    {
      title: "The newest hours of a token",
      params: {
        token_id: "<token>",
        interval: "1h",
      },
    },
  ],
});
