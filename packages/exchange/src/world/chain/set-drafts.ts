import { ADDRESSES } from "./addresses.ts";
import type { Hex, PolymarketMarket } from "../contract.ts";
import { draft, type LogDraft, moveMany } from "./log-draft.ts";

const ZERO: Hex = `0x${"0".repeat(64)}`;

type Market = Pick<PolymarketMarket, "condition_id" | "token_ids" | "neg_risk">;

/** Mints or burns complete sets: `holder` itself, or a V2 collateral adapter on its behalf. */
export interface SetMaker {
  holder: Hex;
  isThroughAdapter: boolean;
}

/** The collateral adapter used by a market. */
export function collateralAdapterOf(market: Pick<PolymarketMarket, "neg_risk">): Hex {
  return market.neg_risk ? ADDRESSES.neg_risk_collateral_adapter : ADDRESSES.collateral_adapter;
}

/** ConditionalTokens logs of a set minted or burnt by `stakeholder`: the token transfer, then the event. */
export function conditionalSet(
  market: Market,
  kind: "split" | "merge",
  stakeholder: Hex,
  micro: number,
  isReporting: boolean = false,
): LogDraft[] {
  const [from, to] = kind === "split" ? [ADDRESSES.zero, stakeholder] : [stakeholder, ADDRESSES.zero];
  const args = () => ({
    stakeholder,
    collateralToken: market.neg_risk ? ADDRESSES.wrapped_collateral : ADDRESSES.usdc_e,
    parentCollectionId: ZERO,
    conditionId: market.condition_id,
    partition: [1n, 2n],
    amount: BigInt(micro),
  });
  const event = kind === "split" ? "PositionSplit" : "PositionsMerge";
  return [moveMany(stakeholder, from, to, market.token_ids, [micro, micro]), draft("ctf", event, args, isReporting)];
}

/**
 * Logs of complete sets minted (`split`) or burnt (`merge`). On a neg-risk market the NegRiskAdapter acts for the
 * caller: ConditionalTokens names the adapter, the adapter's own event names the caller. A collateral adapter likewise
 * acts for its caller, whom no event names: only the token transfer to or from the adapter does.
 */
export function setDrafts(market: Market, kind: "split" | "merge", maker: SetMaker, micro: number): LogDraft[] {
  const { holder, isThroughAdapter } = maker;
  const stakeholder = isThroughAdapter ? collateralAdapterOf(market) : holder;
  const inner = market.neg_risk
    ? throughNegRisk(market, kind, stakeholder, micro)
    : conditionalSet(market, kind, stakeholder, micro, true);
  if (!isThroughAdapter) return inner;
  const move = (from: Hex, to: Hex): LogDraft => moveMany(stakeholder, from, to, market.token_ids, [micro, micro]);
  return kind === "split" ? [...inner, move(stakeholder, holder)] : [move(holder, stakeholder), ...inner];
}

function throughNegRisk(market: Market, kind: "split" | "merge", stakeholder: Hex, micro: number): LogDraft[] {
  const adapter = ADDRESSES.neg_risk_adapter;
  const own = () => ({ stakeholder, conditionId: market.condition_id, amount: BigInt(micro) });
  const published = draft("neg_risk_adapter", kind === "split" ? "PositionSplit" : "PositionsMerge", own, true);
  const inner = conditionalSet(market, kind, adapter, micro);
  const move = (from: Hex, to: Hex): LogDraft => moveMany(adapter, from, to, market.token_ids, [micro, micro]);
  return kind === "split"
    ? [...inner, move(adapter, stakeholder), published]
    : [move(stakeholder, adapter), ...inner, published];
}
