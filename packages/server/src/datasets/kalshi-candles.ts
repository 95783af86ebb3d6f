import { id, int, iso, num } from "../definition/column.ts";
import { defineDataset, type OrderKey } from "../definition/dataset.ts";
import { storedAs, within } from "../definition/filter.ts";
import { choice, moment, slug } from "../definition/param-kinds.ts";
import { bind, sql, type Sql } from "../definition/sql.ts";
import { kalshiCandles } from "../tables/kalshi-candles.ts";

const MINUTES: Readonly<Record<string, number>> = { "1m": 1, "1h": 60, "1d": 1440 };

const newestFirst: OrderKey[] = [
  { by: sql`end_time`, direction: "desc", stored: storedAs.seconds, value: (row) => String(row["end_time"]) },
];
const oldestFirst: OrderKey[] = newestFirst.map((key) => ({ ...key, direction: "asc" }));

const cents = (column: Sql): Sql => sql`${column} * 100`;
const price = (about: string) => num("cents").maybe().describe(about);

export const kalshiCandlesDataset = defineDataset({
  agentId: 1101,
  name: "kalshi-candles",
  title: "Kalshi candles",
  summary: "Kalshi's own candles of a market with its quotes, oldest first. Periods the venue left out are absent.",
  plan: "free",
  params: {
    ticker: slug().required().describe("Ticker of the market."),
    interval: choice("1m", "1h", "1d").default("1m").describe("Length of a candle, as the venue offers them."),
    start_time: moment("start")
      .off("-1.0")
      .describe("First end of a period, inclusive. Without it pages start at the newest candles and go back."),
    end_time: moment("end").off("-1.0").describe("Last end of a period, inclusive."),
  },
  row: {
    ticker: id().describe("Ticker of the market."),
    end_time: iso().describe("Inclusive end of the period."),
    open: price("First trade, YES; null where the period had none."),
    high: price("Highest trade."),
    low: price("Lowest trade."),
    close: price("Last trade."),
    mean: price("Mean as the venue gives it."),
    volume: num("contracts").describe("Contracts traded."),
    open_interest: num("contracts").maybe().describe("Open contracts at the end; null where not given."),
    bid_open: price("First YES bid; null where the side was empty."),
    bid_high: price("Highest YES bid."),
    bid_low: price("Lowest YES bid."),
    bid_close: price("Last YES bid."),
    ask_open: price("First YES ask; null where the side was empty."),
    ask_high: price("Highest YES ask."),
    ask_low: price("Lowest YES ask."),
    ask_close: price("Last YES ask."),
    period_minutes: int().describe("Length of the period in minutes."),
  },
  limit: { default: 500, max: 10_000 },
  order: "end_time ascending; without start_time each page is ascending and the pages go back from the newest",
  tables: [kalshiCandles],
  range: { from: "start_time", to: "end_time" },
  query: (p) => ({
    select: {
      ticker: sql`ticker`,
      end_time: sql`end_time`,
      open: cents(sql`open`),
      high: cents(sql`high`),
      low: cents(sql`low`),
      close: cents(sql`close`),
      mean: cents(sql`mean`),
      volume: sql`volume`,
      open_interest: sql`open_interest`,
      bid_open: cents(sql`yes_bid_open`),
      bid_high: cents(sql`yes_bid_high`),
      bid_low: cents(sql`yes_bid_low`),
      bid_close: cents(sql`yes_bid_close`),
      ask_open: cents(sql`yes_ask_open`),
      ask_high: cents(sql`yes_ask_high`),
      ask_low: cents(sql`yes_ask_low`),
      ask_close: cents(sql`yes_ask_close`),
      period_minutes: sql`period_minutes`,
    },
    from: sql`${kalshiCandles} FINAL`,
    where: [
      sql`ticker = ${p.ticker ?? bind("String", "")}`,
      sql`period_minutes = ${bind("UInt32", MINUTES[String(p.interval?.value)] ?? 1)}`,
      ...within(sql`end_time`, p.start_time, p.end_time),
    ],
    order: p.start_time ? oldestFirst : newestFirst,
    ...(p.start_time ? {} : { isShownReversed: true }),
  }),
  related: [573, 565, 1102],
  examples: [{ title: "The newest minutes of a market", params: { ticker: "KXNBAGAME-25APR19DETNYK-NYK" } }],
});
