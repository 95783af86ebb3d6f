import { ADDRESSES } from "./addresses.ts";
import type { Hex } from "../contract.ts";
import type { ConvertHappening } from "../operation-contract.ts";
import { draft, type LogDraft, moveMany } from "./log-draft.ts";
import { conditionalSet } from "./set-drafts.ts";

const ZERO: Hex = `0x${"0".repeat(64)}`;

/**
 * A conversion as the NegRiskAdapter does it: a set of each question that is not given in, its NO burnt beside those
 * that are given, its YES sent on. The sets are the adapter's own affair: part of the conversion, nobody's split.
 */
export function convertDrafts(happening: ConvertHappening): LogDraft[] {
  const { event, wallet, amount_micro: micro, is_through_adapter } = happening;
  const adapter = ADDRESSES.neg_risk_adapter;
  const asker = is_through_adapter ? ADDRESSES.neg_risk_collateral_adapter : wallet;
  const isGiven = (index: number): boolean => Math.floor(happening.index_set / 2 ** index) % 2 === 1;
  const given = event.markets.filter((market) => isGiven(market.question_index));
  const others = event.markets.filter((market) => !isGiven(market.question_index));
  const move = (operator: Hex, from: Hex, to: Hex, tokens: readonly string[]): LogDraft =>
    moveMany(
      operator,
      from,
      to,
      tokens,
      tokens.map(() => micro),
    );
  const noGiven = given.map((market) => market.token_ids[1]);
  const yesGot = others.map((market) => market.token_ids[0]);
  const args = () => ({
    stakeholder: asker,
    marketId: event.neg_risk_market_id ?? ZERO,
    indexSet: BigInt(happening.index_set),
    amount: BigInt(micro),
  });
  const drafts = is_through_adapter ? [move(asker, wallet, asker, noGiven)] : [];
  for (const market of others) drafts.push(...conditionalSet(market, "split", adapter, micro));
  drafts.push(move(adapter, asker, ADDRESSES.no_token_burn, noGiven));
  if (others.length > 0) {
    const noMade = others.map((market) => market.token_ids[1]);
    drafts.push(move(adapter, adapter, ADDRESSES.no_token_burn, noMade), move(adapter, adapter, asker, yesGot));
  }
  drafts.push(draft("neg_risk_adapter", "PositionsConverted", args, true));
  if (is_through_adapter && others.length > 0) drafts.push(move(asker, asker, wallet, yesGot));
  return drafts;
}
