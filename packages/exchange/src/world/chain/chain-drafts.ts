import type { ChainHappening, Chain } from "./chain.ts";
import { type LogDraft, moveMany, moveOne, draft } from "./log-draft.ts";
import { matchDrafts } from "./match-drafts.ts";
import { redeemDrafts } from "./redeem-drafts.ts";
import { setDrafts, conditionalSet } from "./set-drafts.ts";
import type { TransferHappening, ConvertHappening } from "../operation-contract.ts";
import { ADDRESSES } from "./addresses.ts";
import type { MarketCreatedHappening, MarketResolvedHappening, Hex } from "../contract.ts";
import type { ChainLog, LogWish } from "../chain-contract.ts";

const ZERO: Hex = `0x${"0".repeat(64)}`;

/**
 * Logs of a conversion by the NegRiskAdapter: it mints a set for each question that is not given in, burns its NO
 * together with the NO given in, and sends the YES to its caller. These sets are part of the conversion, not a wallet's
 * split.
 */
function convertDrafts(happening: ConvertHappening): LogDraft[] {
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

/** Returns the logs that a happening emits on the chain, in order. */
export function chainDrafts(happening: ChainHappening): LogDraft[] {
  switch (happening.kind) {
    case "match":
      return matchDrafts(happening);
    case "split":
    case "merge": {
      const maker = { holder: happening.wallet, isThroughAdapter: happening.is_through_adapter };
      return setDrafts(happening.market, happening.kind, maker, happening.amount_micro);
    }
    case "convert":
      return convertDrafts(happening);
    case "redeem":
      return redeemDrafts(happening);
    case "transfer":
      return transferDrafts(happening);
    case "market_created":
      return creationDrafts(happening);
    case "market_resolved":
      return resolutionDrafts(happening);
  }
}

/** Moves both tokens of a market in one batch, a single token alone. */
function transferDrafts({ market, wallet, to_wallet, amounts_micro }: TransferHappening): LogDraft[] {
  const [yes, no] = amounts_micro;
  const move =
    yes > 0 && no > 0
      ? moveMany(wallet, wallet, to_wallet, market.token_ids, amounts_micro)
      : moveOne(wallet, wallet, to_wallet, market.token_ids[yes > 0 ? 0 : 1], yes + no);
  return [{ ...move, isReporting: true }];
}

/** Prepares a condition; the first question of a neg-risk event also prepares its market. */
function creationDrafts({ market }: MarketCreatedHappening): LogDraft[] {
  const prepared = draft("ctf", "ConditionPreparation", () => ({
    conditionId: market.condition_id,
    oracle: market.oracle,
    questionId: market.question_id,
    outcomeSlotCount: 2n,
  }));
  const marketId = market.event.neg_risk_market_id;
  if (marketId === null) return [prepared];
  const operator = ADDRESSES.neg_risk_operator;
  const drafts: LogDraft[] = [];
  if (market.question_index === 0) {
    const args = () => ({ marketId, oracle: operator, feeBips: 0n, data: "0x" as const });
    drafts.push(draft("neg_risk_adapter", "MarketPrepared", args));
  }
  const index = BigInt(market.question_index);
  const args = () => ({ marketId, questionId: market.question_id, index, data: "0x" as const });
  drafts.push(prepared, draft("neg_risk_adapter", "QuestionPrepared", args));
  return drafts;
}

/** Reports the payouts of a condition; for a neg-risk question also its outcome. */
function resolutionDrafts({ market, payout_numerators }: MarketResolvedHappening): LogDraft[] {
  const args = () => ({
    conditionId: market.condition_id,
    oracle: market.oracle,
    questionId: market.question_id,
    outcomeSlotCount: 2n,
    payoutNumerators: payout_numerators.map(BigInt),
  });
  const resolved = draft("ctf", "ConditionResolution", args, true);
  const marketId = market.event.neg_risk_market_id;
  if (marketId === null) return [resolved];
  const reported = () => ({ marketId, questionId: market.question_id, outcome: payout_numerators[0] === 1 });
  return [resolved, draft("neg_risk_adapter", "OutcomeReported", reported)];
}

/** Returns the decoded logs of one happening, in order; only those matching `wish`, if given. */
export function chainLogs(happening: ChainHappening, wish?: LogWish): ChainLog[] {
  const { tx_hash, tx_index, block_number, first_log_index } = happening;
  const logs: ChainLog[] = [];
  for (const [i, each] of chainDrafts(happening).entries()) {
    if (wish !== undefined && !wish(each)) continue;
    const { contract, address, event, exchange_version } = each;
    const place = { tx_hash, tx_index, block_number, log_index: first_log_index + i };
    logs.push({ contract, address, event, exchange_version, args: each.args(), ...place });
  }
  return logs;
}

/** Placeholder position that `settle` replaces. */
export const NO_PLACE = { tx_hash: "0x", block_number: 0, tx_index: 0, block_ms: 0, first_log_index: 0 } as const;

/**
 * Assigns a happening its chain position and log indexes, and adds it to the chain. Consecutive happenings of one
 * wallet at the same time share a transaction.
 */
export function settle<T extends ChainHappening>(chain: Chain, happening: T, wallet?: number): T {
  const drafts = chainDrafts(happening);
  const place = chain.place(happening.ms, drafts.length, wallet);
  Object.assign(happening, place);
  const first = place.first_log_index;
  for (const [i, { leg, isReporting }] of drafts.entries()) {
    if (leg !== undefined) leg.log_index = first + i;
    if (isReporting === true && "log_index" in happening) happening.log_index = first + i;
  }
  chain.add(happening);
  return happening;
}
