import { ADDRESSES } from "./addresses.ts";
import type { ChainHappening } from "./chain.ts";
import type { AbiValue, ChainLog } from "../chain-contract.ts";
import type { Hex, MarketCreatedHappening, MarketResolvedHappening, RedeemHappening } from "../contract.ts";
import { matchLogs } from "./match-logs.ts";
import { setLogs } from "./set-logs.ts";

const ZERO: Hex = `0x${"0".repeat(64)}`;

type Said = [contract: "ctf" | "neg_risk_adapter", event: ChainLog["event"], args: Record<string, AbiValue>];

function number(happening: ChainHappening, first: number, said: Said[]): ChainLog[] {
  return said.map(([contract, event, args], i) => ({
    contract,
    address: ADDRESSES[contract],
    event,
    args,
    exchange_version: "V2",
    tx_hash: happening.tx_hash,
    tx_index: happening.tx_index,
    block_number: happening.block_number,
    log_index: first + i,
  }));
}

/** How many logs the creation of a market makes. */
export function creationLogCount(negRisk: boolean, index: number): number {
  return negRisk ? (index === 0 ? 3 : 2) : 1;
}

function creation({ market }: MarketCreatedHappening): Said[] {
  const prepared: Said = [
    "ctf",
    "ConditionPreparation",
    { conditionId: market.condition_id, oracle: market.oracle, questionId: market.question_id, outcomeSlotCount: 2n },
  ];
  const marketId = market.event.neg_risk_market_id;
  if (marketId === null) return [prepared];
  const operator = ADDRESSES.neg_risk_operator;
  const said: Said[] = [];
  if (market.question_index === 0) {
    said.push(["neg_risk_adapter", "MarketPrepared", { marketId, oracle: operator, feeBips: 0n, data: "0x" }]);
  }
  const index = BigInt(market.question_index);
  said.push(prepared);
  said.push(["neg_risk_adapter", "QuestionPrepared", { marketId, questionId: market.question_id, index, data: "0x" }]);
  return said;
}

function resolution({ market, payout_numerators }: MarketResolvedHappening): Said[] {
  const resolved: Said = [
    "ctf",
    "ConditionResolution",
    {
      conditionId: market.condition_id,
      oracle: market.oracle,
      questionId: market.question_id,
      outcomeSlotCount: 2n,
      payoutNumerators: payout_numerators.map(BigInt),
    },
  ];
  const marketId = market.event.neg_risk_market_id;
  if (marketId === null) return [resolved];
  const outcome = payout_numerators[0] === 1;
  return [resolved, ["neg_risk_adapter", "OutcomeReported", { marketId, questionId: market.question_id, outcome }]];
}

function redemption(happening: RedeemHappening): Said[] {
  const { market, wallet } = happening;
  const payout = BigInt(happening.payout_micro);
  const said: Said[] = [
    [
      "ctf",
      "PayoutRedemption",
      {
        redeemer: market.neg_risk ? ADDRESSES.neg_risk_adapter : wallet,
        collateralToken: market.neg_risk ? ADDRESSES.wrapped_collateral : ADDRESSES.usdc_e,
        parentCollectionId: ZERO,
        conditionId: market.condition_id,
        indexSets: [1n, 2n],
        payout,
      },
    ],
  ];
  if (market.neg_risk) {
    const amounts = happening.amounts_micro.map(BigInt);
    said.push([
      "neg_risk_adapter",
      "PayoutRedemption",
      { redeemer: wallet, conditionId: market.condition_id, amounts, payout },
    ]);
  }
  return said;
}

/** Decoded logs of one transaction, in order. */
export function chainLogs(happening: ChainHappening): ChainLog[] {
  switch (happening.kind) {
    case "match":
      return matchLogs(happening);
    case "split":
    case "merge": {
      const first = happening.log_index - (happening.market.neg_risk ? 1 : 0);
      return setLogs(
        happening.market,
        happening,
        happening.kind,
        happening.wallet,
        happening.amount_micro,
        first,
        "V2",
      );
    }
    case "convert": {
      const args = {
        stakeholder: happening.wallet,
        marketId: happening.event.neg_risk_market_id ?? ZERO,
        indexSet: BigInt(happening.index_set),
        amount: BigInt(happening.amount_micro),
      };
      return number(happening, happening.log_index, [["neg_risk_adapter", "PositionsConverted", args]]);
    }
    case "redeem":
      return number(happening, happening.log_index - (happening.market.neg_risk ? 1 : 0), redemption(happening));
    case "market_created":
      return number(happening, happening.first_log_index, creation(happening));
    case "market_resolved":
      return number(happening, happening.first_log_index, resolution(happening));
  }
}
