import { asOfDay } from "../definition/timestamp.ts";
import { dec, flag, hexId, int, iso, num, text, tokenId } from "../definition/column.ts";
import { defineDataset, type OrderKey } from "../definition/dataset.ts";
import { condition, day, decimal, minOf, token } from "../definition/param-kinds.ts";
import { orderKey } from "../definition/sorting.ts";
import { bind, given, sql } from "../definition/sql.ts";
import { holderPositions } from "../derivations/market/holder-positions-sql.ts";
import { outcomeIndexOf, polymarketTokens, textOfToken, UNKNOWN_OUTCOME } from "../tables/polymarket-tokens.ts";
import { tokenDays } from "../tables/token-days.ts";
import { walletTokenDays } from "../tables/wallet-token-days.ts";
import { formulaOf } from "./formula-of.ts";

const largestFirst: OrderKey[] = [
  orderKey(sql`shares`, "desc", "decimal", "shares"),
  orderKey(sql`token_id`, "asc", "token", "token_id"),
  orderKey(sql`wallet`, "asc", "wallet", "proxy_wallet"),
];

const usd = () => dec(6, "USD");

export const marketHolders = defineDataset({
  agentId: 1004,
  name: "market-holders",
  title: "Holders of a market",
  summary: "Holders of a market's outcome tokens, now or at the end of any day, at cost and at mark, largest first.",
  plan: "free",
  params: {
    condition_id: condition().list().describe("Market; this or token_id is required."),
    token_id: token().list().describe("Outcome token."),
    as_of: day().untilToday().describe("Holdings at the end of this UTC day; now if omitted."),
    min_shares: minOf(decimal(0, 1_000_000_000_000)).off("0").describe("Minimum shares held."),
  },
  row: {
    proxy_wallet: hexId().describe("Holder, lower case."),
    condition_id: hexId().describe("Condition; 0x and 64 zeros until the token's market is known."),
    token_id: tokenId().describe("Outcome token."),
    outcome: text().maybe("Label of the outcome; null until it is known."),
    outcome_index: int().maybe("0 or 1; null until it is known."),
    shares: dec(6, "shares").describe("Shares held, 0.01 or more."),
    pct_of_outcome: num("percent").describe("shares / shares of all holders of the token."),
    average_cost: dec(6, "USD per share").describe("cost / shares."),
    cost: usd().describe("Cost of the shares held, by average cost; their payout once resolved."),
    mark: dec(6, "USD per share").maybe(
      "Payout once resolved, else the last mid of the newest day by then, else its last trade; null without a price.",
    ),
    value: usd().maybe("shares × mark; null without a mark."),
    unrealized_pnl: usd().maybe("value − cost; null without a mark."),
    is_resolved: flag().describe("Whether the market was resolved by then: the shares await redemption."),
    last_at: iso().describe("Last event of the wallet with the token by then; the resolution of a held token is one."),
  },
  limit: { default: 100, max: 1000 },
  cost: { base: 2 },
  order: "shares descending, then token_id ascending, then proxy_wallet ascending",
  tables: [walletTokenDays, tokenDays, polymarketTokens],
  venue: "polymarket",
  asOf: "as_of",
  check: (sent) =>
    sent.has("condition_id") || sent.has("token_id") ? undefined : "condition_id or token_id is required",
  query: (p, asking) => ({
    select: {
      proxy_wallet: sql`wallet`,
      outcome: textOfToken("outcome", sql`token_id`),
      outcome_index: sql`nullIf(${outcomeIndexOf(sql`token_id`)}, ${bind("UInt8", UNKNOWN_OUTCOME)})`,
      pct_of_outcome: sql`round(100 * toFloat64(shares) / toFloat64(token_shares), 4)`,
      average_cost: sql`toDecimal128(cost_usd, 12) / shares`,
      cost: sql`cost_usd`,
      value: sql`value_usd`,
      unrealized_pnl: sql`value_usd - cost_usd`,
      is_resolved: sql`toBool(is_resolved)`,
      last_at: sql`changed_at`,
    },
    from: holderPositions({
      asOf: asOfDay(p.as_of, asking.now),
      conditions: p.condition_id,
      tokens: p.token_id,
    }),
    where: [given(p.min_shares, (least) => sql`shares >= ${least}`)],
    order: largestFirst,
  }),
  formula: formulaOf("market-holders"),
  notes: [
    "A wallet is an address, not a person: see similar_wallets_count of wallet-360.",
    "Each page of current holders is computed on request: a holder whose shares change while you page can appear twice or not at all. For stable pages, set as_of to a past day.",
  ],
  related: [575, 1001],
  guide: "profit",
  examples: [
    {
      title: "The largest holders of a market",
      params: { condition_id: "<condition>" },
    },
  ],
});
