import { bookFields, bookSelect, newestBookFirst } from "../definition/book-columns.ts";
import { rebuiltBook } from "../definition/book-sql.ts";
import { id } from "../definition/column.ts";
import { defineDataset } from "../definition/dataset.ts";
import { dateTime, slug, token, whole } from "../definition/param-kinds.ts";
import { bind, sql } from "../definition/sql.ts";
import { bookEvents } from "../tables/book-events.ts";
import { polymarketTokens, textOfToken } from "../tables/polymarket-tokens.ts";
import { lifetimesOfTokenBooks, firstTokenBySlug } from "./named-markets.ts";
import { formulaOf } from "./formula-of.ts";
import { servedOrderBook } from "./served-order-book.ts";

const { asks, bids, timestamp, ...others } = bookFields("USD per share");

export const polymarketOrderBook = defineDataset({
  agentId: 572,
  name: "polymarket-order-book",
  title: "Polymarket order books",
  summary:
    "The book of an outcome token, now and at any time in the past, rebuilt from stored snapshots and changes, newest first.",
  plan: "free",
  params: {
    token_id: token().required("market_slug").describe("Outcome token; this or market_slug is required."),
    start_time: dateTime("start").describe(
      "First timestamp, inclusive. If equal to end_time, the book as of that time.",
    ),
    end_time: dateTime("end").describe("Last timestamp, inclusive."),
    market_slug: slug().alias("slug").describe("Market: its first outcome's token. token_id takes precedence."),
    depth: whole(1, 10_000).off("0").describe("Number of levels per side, from the best; all if omitted."),
  },
  named: firstTokenBySlug,
  row: {
    asks,
    bids,
    timestamp,
    token_id: id().describe("Outcome token."),
    condition_id: id().maybe("Condition; null until the market is known."),
    ...others,
  },
  limit: { default: 50, max: 1_000 },
  order: "timestamp descending",
  tables: [bookEvents, polymarketTokens],
  venue: "polymarket",
  range: { from: "start_time", to: "end_time", goesBack: "always" },
  instrument: "token_id",
  lifetimes: lifetimesOfTokenBooks,
  query: (p, asking) => {
    const tokenId = p.token_id ?? bind("String", "0");
    return {
      select: {
        ...bookSelect(p.depth),
        token_id: sql`${tokenId}`,
        condition_id: textOfToken("condition_id", sql`toUInt256(${tokenId})`),
      },
      from: rebuiltBook(bookEvents, tokenId, { from: p.start_time, to: p.end_time }, asking, newestBookFirst),
      order: newestBookFirst,
      isPaged: true,
    };
  },
  served: {
    ...servedOrderBook("token_id", (token_id, reader) => {
      const condition = reader.tokens([token_id]).get(token_id)?.condition_id ?? "";
      return { token_id, condition_id: condition === "" ? null : condition };
    }),
    tokens: polymarketTokens,
    order: newestBookFirst,
  },
  formula: formulaOf("order-book"),
  notes: [
    "Polymarket sends books by websocket only: changes missed while a socket was down are a gap in coverage, not estimated.",
  ],
  related: [568, 556, 575],
  examples: [
    {
      title: "The book of a token as it stood a minute ago",
      params: { token_id: "<token>", start_time: "<a_minute_ago>", end_time: "<a_minute_ago>", depth: "10" },
    },
  ],
});
