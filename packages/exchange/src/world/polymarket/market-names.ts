import { ADDRESSES } from "../chain/addresses.ts";
import { conditionId, tokenId } from "./conditional-token-ids.ts";
import type { Hex, MarketNames } from "../contract.ts";
import type { CoreMarket } from "../core/core-market.ts";
import { HASH_KIND, mixHex } from "../core/mix-hash.ts";
import type { EventNames } from "./name-event.ts";

const FEE_TYPES: Readonly<Record<string, string>> = {
  crypto: "crypto_fees_v2",
  sports: "sports_fees_v2",
  geopolitics: "",
};

/** Id of a neg-risk market (Gamma's event): 31 random bytes and a zero byte, as NegRiskIdLib creates them. */
export function negRiskMarketId(seed: number, event: number): Hex {
  return `0x${mixHex(seed, HASH_KIND.market, event).slice(2, 64)}00`;
}

/**
 * Question id: for a neg-risk question the event's 31 bytes and the index, else random like UMA's ancillary-data hash.
 */
function questionId(seed: number, core: CoreMarket, marketId: Hex | null): Hex {
  if (marketId === null) return mixHex(seed, HASH_KIND.question, core.number);
  return `${marketId.slice(0, 64)}${core.index.toString(16).padStart(2, "0")}` as Hex;
}

/** Names and real ids of one market. */
export function marketNames(seed: number, core: CoreMarket, names: EventNames, marketId: Hex | null): MarketNames {
  const oracle: Hex = marketId === null ? ADDRESSES.uma_adapter : ADDRESSES.neg_risk_adapter;
  const question_id = questionId(seed, core, marketId);
  const condition_id = conditionId(oracle, question_id);
  const collateral = marketId === null ? ADDRESSES.usdc_e : ADDRESSES.wrapped_collateral;
  const market = names.markets[core.index];
  if (market === undefined) throw new Error(`Event ${core.plan.number} has no name for question ${core.index}`);
  const { category, asset, fee_rate } = core.plan;
  return {
    id: String(500_000 + core.number),
    condition_id,
    question_id,
    oracle,
    question: market.question,
    slug: market.slug,
    description: names.description,
    outcomes: market.outcomes,
    token_ids: [tokenId(collateral, condition_id, 0), tokenId(collateral, condition_id, 1)],
    group_item_title: market.group,
    fee_type: fee_rate === 0 ? null : (FEE_TYPES[category] ?? `${category}_fees_v2`),
    resolution_source: asset === null ? "" : `https://data.chain.link/streams/${asset}-usd`,
  };
}
