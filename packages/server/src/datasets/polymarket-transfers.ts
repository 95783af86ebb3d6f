import { hexId, id, int, iso, num, text, tokenId } from "../definition/column.ts";
import { defineDataset } from "../definition/dataset.ts";
import { isIn, within } from "../definition/filter.ts";
import { dateTime, token, wallet } from "../definition/param-kinds.ts";
import { newestOnChainFirst, orderKey } from "../definition/sorting.ts";
import { given, sql, type Bound, type Sql } from "../definition/sql.ts";
import { copyOf } from "../definition/table.ts";
import { polymarketTokens, textOfToken } from "../tables/polymarket-tokens.ts";
import { polymarketTransfers } from "../tables/polymarket-transfers.ts";
import { servedTransfers } from "../tables/served-transfers.ts";
import { listOf } from "./list-of.ts";

const bySender = copyOf(polymarketTransfers, "polymarket_transfers_by_sender");
const byReceiver = copyOf(polymarketTransfers, "polymarket_transfers_by_receiver");
const byToken = copyOf(polymarketTransfers, "polymarket_transfers_by_token");

const newestFirst = [...newestOnChainFirst, orderKey(sql`place`, "desc", "integer", "place")];

/** A wallet's transfers: all it sent, and those it received from others (a transfer to itself counts once). */
function rowsOf(wallets: Bound | undefined, tokens: Bound | undefined): Sql {
  if (!wallets) return tokens ? sql`${byToken}` : sql`${polymarketTransfers}`;
  const [sent, got] = [isIn("from_wallet", "wallet", wallets), isIn("to_wallet", "wallet", wallets)];
  return sql`(SELECT * FROM ${bySender} WHERE ${sent} UNION ALL SELECT * FROM ${byReceiver} WHERE ${got} AND NOT (${sent}))`;
}

export const polymarketTransfersDataset = defineDataset({
  agentId: 1106,
  name: "polymarket-transfers",
  title: "Polymarket transfers between wallets",
  summary:
    "Outcome tokens sent from wallet to wallet outside any trade, newest first. Transfers that settle trades, splits, merges, conversions and redemptions are omitted.",
  plan: "free",
  params: {
    proxy_wallet: wallet().list().describe("Sender or receiver."),
    token_id: token().list().describe("Outcome token."),
    start_time: dateTime("start").describe("First timestamp, inclusive."),
    end_time: dateTime("end").describe("Last timestamp, inclusive."),
  },
  row: {
    timestamp: iso().describe("Block time, to the second."),
    from_wallet: hexId().describe("Sender, lower case."),
    to_wallet: hexId().describe("Receiver, lower case."),
    token_id: tokenId().describe("Outcome token."),
    condition_id: id().maybe("Condition; null until the market of the token is known."),
    slug: text().maybe("Slug of the market; null until it is known."),
    outcome: text().maybe("Label of the outcome; null until it is known."),
    size: num("shares").describe("Shares."),
    operator: hexId().describe("Address that sent the tokens on the owner's behalf; usually the owner."),
    transaction_hash: hexId().describe("Transaction."),
    log_index: int().describe("Log index in the block."),
    place: int().describe("Position in its batch; 0 for a single transfer."),
    block_number: int().describe("Block."),
  },
  limit: { default: 100, max: 10_000 },
  order: "timestamp descending, then transaction_hash, log_index and place descending",
  tables: [polymarketTransfers, polymarketTokens],
  range: { from: "start_time", to: "end_time", goesBack: "always" },
  query: (p) => ({
    select: {
      timestamp: sql`ts`,
      condition_id: textOfToken("condition_id", sql`token_id`),
      slug: textOfToken("slug", sql`token_id`),
      outcome: textOfToken("outcome", sql`token_id`),
      size: sql`shares`,
      transaction_hash: sql`tx_hash`,
    },
    from: rowsOf(p.proxy_wallet, p.token_id),
    where: [given(p.token_id, (ids) => isIn("token_id", "token", ids)), ...within(sql`ts`, p.start_time, p.end_time)],
    order: newestFirst,
    storedBy: (snapshot) => sql`ingested_at <= fromUnixTimestamp64Micro(${snapshot})`,
  }),
  served: {
    table: servedTransfers,
    tokens: polymarketTokens,
    order: newestFirst,
    fields: {
      timestamp: { column: "ts" },
      condition_id: { ofToken: "condition_id" },
      slug: { ofToken: "slug" },
      outcome: { ofToken: "outcome" },
      size: { column: "shares" },
      transaction_hash: { column: "tx_hash" },
    },
    // By sender or receiver where wallets are requested, else by token, else in time order.
    search: (p) => {
      const range = { from: p.start_time, to: p.end_time };
      const tokens = p.token_id && { column: "token_id", values: listOf(p.token_id) };
      if (p.proxy_wallet === undefined) return { ...range, by: tokens, tests: [] };
      return {
        ...range,
        by: { column: "from_wallet", orColumn: "to_wallet", values: listOf(p.proxy_wallet) },
        tests: tokens ? [{ column: tokens.column, oneOf: tokens.values }] : [],
      };
    },
  },
  related: [1002, 1104],
  examples: [
    { title: "The newest transfers", params: {} },
    { title: "A wallet's transfers", params: { proxy_wallet: "<sender>" } },
  ],
});
