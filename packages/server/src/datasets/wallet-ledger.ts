import { LEDGER_TABLES } from "./shared-profit.ts";
import { dec, hexId, id, int, iso, text } from "../definition/column.ts";
import { INCOME_KINDS } from "../definition/vocabulary.ts";
import { defineDataset } from "../definition/dataset.ts";
import { choice, condition, dateTime, token, wallet } from "../definition/param-kinds.ts";
import { byField } from "../definition/sorting.ts";
import { LEDGER_KINDS } from "../derivations/wallet/ledger-row.ts";
import { polymarketIncome } from "../tables/polymarket-income.ts";
import { formulaOf } from "./formula-of.ts";
import { servedWalletLedger } from "./served-wallet-ledger.ts";

const KINDS = [...LEDGER_KINDS, "resolution", ...INCOME_KINDS];

const newestFirst = [
  ...["timestamp", "transaction_hash", "log_index", "kind", "place"].map((field) => byField(field)),
  byField("token_id", "0"),
  byField("proxy_wallet"),
];

export const walletLedger = defineDataset({
  agentId: 1002,
  name: "wallet-ledger",
  title: "Ledger of a wallet",
  summary:
    "The rows behind every figure of a wallet: each signed change of its tokens and money, newest first. Σ usd − Σ fee over all rows is its cash. Income (rewards, rebates, yield) is included for wallets whose income was fetched: income_checked_at of dataset 581 says whether and up to when.",
  plan: "free",
  params: {
    proxy_wallet: wallet().list().required().describe("Proxy wallet, or a list of them."),
    kind: choice(...KINDS).describe("Kind of operation."),
    condition_id: condition().list().describe("Only these markets."),
    token_id: token().list().describe("Only these outcome tokens."),
    start_time: dateTime("start").describe("First timestamp, inclusive."),
    end_time: dateTime("end").describe("Last timestamp, inclusive."),
  },
  row: {
    timestamp: iso().describe("Block time, to the second."),
    kind: text().describe(`One of ${KINDS.join(", ")}.`),
    proxy_wallet: hexId().describe("Wallet, lower case."),
    token_id: id().maybe("Outcome token; null for income."),
    condition_id: id().maybe("Condition; null for income, and until the token's market is known."),
    slug: text().maybe("Slug of the market; null until it is known."),
    outcome: text().maybe("Label of the outcome; null until it is known."),
    shares: dec(6, "shares").describe("Shares received (positive) or given; 0 for a resolution and for income."),
    usd: dec(6, "USD").describe(
      "Money received (positive) or paid, excluding the fee; for a split, merge, conversion or redemption of several tokens, the total is on the row with place 0.",
    ),
    fee_usd: dec(6, "USD").describe(
      "Fee paid with a fill; for a V1 buy, the value of the shares taken as the fee. Also 0 where unknown: a taker fill reported only by the Data API (block_number is null).",
    ),
    price: dec(6, "USD per share").maybe("For a fill, usd / shares; for a resolution, the payout; else null."),
    role: text().maybe("maker or taker of a fill (taker if the source does not report it); null for others."),
    transaction_hash: hexId().describe("Transaction; zeros for a resolution known only from the catalogue."),
    log_index: int().describe("Log index in the block, or the position in the source's order."),
    place: int().describe("Position within the operation, from 0."),
    block_number: int().maybe("Block; null if the source does not report it."),
  },
  limit: { default: 100, max: 10_000 },
  cost: { each: 0.15 },
  order:
    "timestamp descending, then transaction_hash, log_index, kind, place, token_id and proxy_wallet, all descending",
  tables: [...LEDGER_TABLES, polymarketIncome],
  range: { from: "start_time", to: "end_time", goesBack: "always" },
  served: { ...servedWalletLedger, order: newestFirst },
  formula: formulaOf("wallet-ledger"),
  notes: [
    "Splits, merges, conversions, redemptions and transfers come from the chain: without the operator's POLYGON_RPC_URL there are only fills, resolutions and income.",
  ],
  related: [569, 1001, 556],
  guide: "profit",
  examples: [
    { title: "A wallet's ledger", params: { proxy_wallet: "<wallet>" } },
    {
      title: "A wallet's redemptions",
      params: { proxy_wallet: "<redeemer>", kind: "redemption" },
    },
  ],
});
