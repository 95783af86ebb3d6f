import { bookFields, bookSelect, newestBookFirst } from "../definition/book-columns.ts";
import { rebuiltBook } from "../definition/book-sql.ts";
import { id } from "../definition/column.ts";
import { defineDataset } from "../definition/dataset.ts";
import { dateTime, kalshiTicker, whole } from "../definition/param-kinds.ts";
import { bind, sql } from "../definition/sql.ts";
import { bookEvents } from "../tables/book-events.ts";
import { lifetimesOfTickerBooks } from "./named-markets.ts";
import { formulaOf } from "./formula-of.ts";
import { servedOrderBook } from "./served-order-book.ts";

export const kalshiOrderBook = defineDataset({
  agentId: 1102,
  name: "kalshi-order-book",
  title: "Kalshi order books",
  summary:
    "The book of a Kalshi market on the YES scale, now and at any time in the past, newest first. A NO bid at p is a YES ask at 1 − p.",
  plan: "free",
  params: {
    ticker: kalshiTicker().required().describe("Ticker of the market."),
    start_time: dateTime("start").describe(
      "First timestamp, inclusive. If equal to end_time, the book as of that time.",
    ),
    end_time: dateTime("end").describe("Last timestamp, inclusive."),
    depth: whole(1, 10_000).off("0").describe("Number of levels per side, from the best; all if omitted."),
  },
  row: { ...bookFields("USD per contract"), ticker: id().describe("Ticker of the market.") },
  limit: { default: 50, max: 1_000 },
  order: "timestamp descending",
  tables: [bookEvents],
  venue: "kalshi",
  range: { from: "start_time", to: "end_time", goesBack: "always" },
  instrument: "ticker",
  lifetimes: lifetimesOfTickerBooks,
  query: (p, asking) => {
    const ticker = p.ticker ?? bind("String", "");
    return {
      select: { ...bookSelect(p.depth), ticker: sql`${ticker}` },
      from: rebuiltBook(bookEvents, ticker, { from: p.start_time, to: p.end_time }, asking, newestBookFirst),
      order: newestBookFirst,
      isPaged: true,
    };
  },
  served: { ...servedOrderBook("ticker", (ticker) => ({ ticker })), order: newestBookFirst },
  formula: formulaOf("order-book"),
  notes: [
    "With the operator's Kalshi key, every change of a book is stored. Without one, the books of the 1,000 most traded markets are polled every 15 seconds: changes between two polls are unknown, and coverage does not show this.",
  ],
  related: [573, 1101, 565],
  examples: [
    {
      title: "The book of a market as it stood a minute ago",
      params: { ticker: "<ticker>", start_time: "<a_minute_ago>", end_time: "<a_minute_ago>" },
    },
  ],
});
