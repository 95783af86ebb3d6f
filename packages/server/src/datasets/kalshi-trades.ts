import { cents, flag, id, iso, num, text } from "../definition/column.ts";
import { defineDataset, type OrderKey } from "../definition/dataset.ts";
import { branchesOf, isIn, within } from "../definition/filter.ts";
import { choice, decimal, minOf, dateTime, kalshiTicker } from "../definition/param-kinds.ts";
import { orderKey } from "../definition/sorting.ts";
import { given, sql } from "../definition/sql.ts";
import { copyOf } from "../definition/table.ts";
import { kalshiMarkets } from "../tables/kalshi-markets.ts";
import { kalshiTrades } from "../tables/kalshi-trades.ts";
import { lifetimesOfTickers } from "./named-markets.ts";
import { servedKalshiTrades } from "../tables/served-kalshi-trades.ts";
import { listOf } from "./list-of.ts";

const byTicker = copyOf(kalshiTrades, "kalshi_trades_by_ticker");

const newestFirst: OrderKey[] = [
  orderKey(sql`created_time`, "desc", "micros", "created_time"),
  orderKey(sql`trade_id`, "desc", "text", "trade_id"),
];

export const kalshiTradesDataset = defineDataset({
  agentId: 573,
  name: "kalshi-trades",
  title: "Kalshi trades",
  summary: "Kalshi's trades from both the live and the historical tier, newest first.",
  plan: "free",
  params: {
    ticker: kalshiTicker().list().describe("Ticker of the market. Required unless a time range is given."),
    event_ticker: kalshiTicker().list().describe("Ticker of the event."),
    start_time: dateTime("start").describe("First timestamp, inclusive."),
    end_time: dateTime("end").describe("Last timestamp, inclusive."),
    taker_side: choice("yes", "no").describe("Outcome the taker took."),
    min_count: minOf(decimal(0, 1_000_000_000)).describe("Minimum contracts."),
  },
  row: {
    trade_id: id().describe("The venue's id of the trade."),
    ticker: id().describe("Ticker of the market."),
    created_time: iso().describe("Trade time, to the microsecond."),
    count: num("contracts").describe("Contracts; may be fractional."),
    yes_price: cents().describe("YES price."),
    no_price: cents().describe("NO price."),
    taker_side: text().describe("yes or no: the outcome the taker took."),
    usd: num("USD").describe("Amount the taker paid, excluding the fee: contracts × price of the side taken."),
    is_block_trade: flag().describe("Whether it was a negotiated block trade."),
  },
  limit: { default: 100, max: 10_000 },
  order: "created_time descending, then trade_id descending",
  tables: [kalshiTrades, kalshiMarkets],
  range: { from: "start_time", to: "end_time", goesBack: "always" },
  check: (sent) =>
    sent.has("ticker") || sent.has("event_ticker") || sent.has("start_time") || sent.has("end_time")
      ? undefined
      : "ticker (or event_ticker) is required unless start_time or end_time is given",
  lifetimes: lifetimesOfTickers,
  query: (p) => ({
    select: {
      usd: sql`CAST(count, 'Decimal(38, 6)') * if(taker_side = 'yes', yes_price, no_price)`,
    },
    from: p.ticker || p.event_ticker ? sql`${byTicker}` : sql`${kalshiTrades}`,
    where: [
      given(
        p.event_ticker,
        (events) => sql`ticker IN (SELECT ticker FROM ${kalshiMarkets} WHERE ${isIn("event_ticker", "text", events)})`,
      ),
      ...within(sql`created_time`, p.start_time, p.end_time),
      given(p.taker_side, (side) => sql`taker_side = ${side}`),
      given(p.min_count, (count) => sql`count >= ${count}`),
    ],
    order: newestFirst,
    storedBy: (snapshot) => sql`ingested_at <= fromUnixTimestamp64Micro(${snapshot})`,
    ...(p.ticker ? { branches: branchesOf("ticker", "text", p.ticker) } : {}),
  }),
  served: {
    table: servedKalshiTrades,
    order: newestFirst,
    fields: {
      yes_price: { column: "yes_price", times: 100 },
      no_price: { column: "no_price", times: 100 },
      usd: {
        where: { column: "taker_side", oneOf: ["yes"] },
        met: { product: ["count", "yes_price"] },
        unmet: { product: ["count", "no_price"] },
      },
    },
    search: (p) => {
      // Only the engine knows which tickers an event has.
      if (p.event_ticker) return undefined;
      return {
        by: p.ticker && { column: "ticker", values: listOf(p.ticker) },
        from: p.start_time,
        to: p.end_time,
        tests: [
          ...(p.taker_side ? [{ column: "taker_side", oneOf: [String(p.taker_side.value)] }] : []),
          ...(p.min_count ? [{ column: "count", least: String(p.min_count.value) }] : []),
        ],
      };
    },
  },
  related: [565, 1101],
  examples: [{ title: "A market's last trades", params: { ticker: "<ticker>" } }],
});
