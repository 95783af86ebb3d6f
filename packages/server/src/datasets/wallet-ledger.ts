import { LEDGER_TABLES } from "./ledger-tables.ts";
import { dec, hexId, id, int, iso, text } from "../definition/column.ts";
import { INCOME_KINDS } from "../definition/income-kinds.ts";
import { defineDataset } from "../definition/dataset.ts";
import { choice, condition, moment, token, wallet } from "../definition/param-kinds.ts";
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
    "The rows behind every figure of a wallet: each signed change of its tokens and money, newest first. Σ usd − Σ fee over all of them is its cash. Income (rewards, rebates, yield) is there for wallets whose income was asked for: income_checked_at of dataset 581 says whether and up to when.",
  plan: "free",
  params: {
    proxy_wallet: wallet().list().required().describe("Proxy wallet, or a list of them."),
    kind: choice(...KINDS).describe("What was done."),
    condition_id: condition().list().describe("Only these markets."),
    token_id: token().list().describe("Only these outcome tokens."),
    start_time: moment("start").describe("First moment, inclusive."),
    end_time: moment("end").describe("Last moment, inclusive."),
  },
  row: {
    timestamp: iso().describe("Block time, to the second."),
    kind: text().describe(`One of ${KINDS.join(", ")}.`),
    proxy_wallet: hexId().describe("Wallet, lower case."),
    token_id: id().maybe("Outcome token; null for income."),
    condition_id: id().maybe("Condition; null for income, and until the token's market is known."),
    slug: text().maybe("Slug of the market; null until it is known."),
    outcome: text().maybe("Label of the outcome; null until it is known."),
    shares: dec(6, "shares").describe("Shares that came (positive) or went; 0 for a resolution and for income."),
    usd: dec(6, "USD").describe(
      "Money that came (positive) or went, fee apart; of a split, merge, conversion or redemption of several tokens the whole is on the row with place 0.",
    ),
    fee_usd: dec(6, "USD").describe(
      "Fee paid with a fill; of a V1 buy the worth of the shares that were taken as the fee. 0 also where it is not known: of a taker's fill that the Data API alone told (block_number is null).",
    ),
    price: dec(6, "USD per share").maybe("Of a fill: usd / shares; of a resolution: the payout; else null."),
    role: text().maybe("maker or taker of a fill (taker where the source does not tell); null for others."),
    transaction_hash: hexId().describe("Transaction; zeros for a resolution that the catalogue alone tells."),
    log_index: int().describe("Log index in the block, or the position in the source's order."),
    place: int().describe("Place within the operation, from 0."),
    block_number: int().maybe("Block; null where the source does not tell."),
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
    "Splits, merges, conversions, redemptions and transfers come from the chain: without POLYGON_RPC_URL (the operator's) there are fills, resolutions and income alone.",
  ],
  related: [569, 1001, 556],
  guide: "profit",
  examples: [
    { title: "A wallet's ledger", params: { proxy_wallet: "<wallet>" } },
    {
      title: "What was redeemed",
      params: { proxy_wallet: "<redeemer>", kind: "redemption" },
    },
  ],
});
