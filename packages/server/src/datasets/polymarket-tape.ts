import { hexId, id, int, iso, num, text, tokenId } from "../definition/column.ts";
import { defineDataset, type OrderKey } from "../definition/dataset.ts";
import { branchesOf, storedAs, within } from "../definition/filter.ts";
import { choice, dateTime, token } from "../definition/param-kinds.ts";
import { orderKey } from "../definition/sorting.ts";
import { bind, given, sql } from "../definition/sql.ts";
import { polymarketPrints } from "../tables/polymarket-prints.ts";
import { servedPrints } from "../tables/served-prints.ts";
import { lifetimesOfTokens } from "./named-markets.ts";
import { listOf } from "./list-of.ts";

const newestFirst: OrderKey[] = [
  orderKey(sql`ts`, "desc", "millis", "timestamp"),
  orderKey(sql`token_id`, "desc", "token", "token_id"),
  orderKey(sql`price`, "desc", "decimal", "price"),
  orderKey(sql`shares`, "desc", "decimal", "size"),
  orderKey(sql`toString(side)`, "desc", "text", "side"),
  { by: sql`tx_hash`, direction: "desc", stored: storedAs.text, value: (row) => String(row["transaction_hash"] ?? "") },
  orderKey(sql`seq`, "desc", "integer", "sequence"),
];

export const polymarketTape = defineDataset({
  agentId: 1103,
  name: "polymarket-tape",
  title: "Polymarket tape",
  summary:
    "Trades as published on Polymarket's market websocket: early and to the millisecond, without wallets, newest first.",
  plan: "free",
  params: {
    token_id: token().list().required().describe("Outcome token."),
    start_time: dateTime("start").describe("First timestamp, inclusive."),
    end_time: dateTime("end").describe("Last timestamp, inclusive."),
    side: choice("BUY", "SELL").describe("Side of the taker."),
  },
  row: {
    timestamp: iso().describe("Match time, to the millisecond."),
    token_id: tokenId().describe("Outcome token."),
    condition_id: hexId().describe("Condition."),
    side: text().describe("Side of the taker."),
    price: num("USD per share").describe("Price, 0 to 1."),
    size: num("shares").describe("Shares."),
    transaction_hash: id().maybe("Transaction; null where the print has none."),
    sequence: int().describe("Position among otherwise identical prints, from 0."),
  },
  limit: { default: 100, max: 10_000 },
  order: "timestamp descending, then every other field",
  tables: [polymarketPrints],
  range: { from: "start_time", to: "end_time", goesBack: "always" },
  instrument: "token_id",
  lifetimes: lifetimesOfTokens,
  query: (p) => ({
    select: {
      timestamp: sql`ts`,
      size: sql`shares`,
      transaction_hash: sql`nullIf(tx_hash, '')`,
      sequence: sql`seq`,
    },
    from: sql`${polymarketPrints}`,
    where: [...within(sql`ts`, p.start_time, p.end_time), given(p.side, (side) => sql`side = ${side}`)],
    order: newestFirst,
    storedBy: (snapshot) => sql`ingested_at <= fromUnixTimestamp64Micro(${snapshot})`,
    branches: branchesOf("token_id", "token", p.token_id ?? bind("Array(String)", ["0"])),
  }),
  served: {
    table: servedPrints,
    order: newestFirst,
    fields: {
      timestamp: { column: "ts" },
      size: { column: "shares" },
      transaction_hash: { column: "tx_hash", nullIf: { column: "tx_hash", oneOf: [""] } },
      sequence: { column: "seq" },
    },
    search: (p) => ({
      by: { column: "token_id", values: listOf(p.token_id) },
      from: p.start_time,
      to: p.end_time,
      tests: p.side ? [{ column: "side", oneOf: [String(p.side.value)] }] : [],
    }),
  },
  related: [556, 568],
  examples: [
    {
      title: "The last prints of a token",
      params: { token_id: "<token>" },
    },
  ],
});
