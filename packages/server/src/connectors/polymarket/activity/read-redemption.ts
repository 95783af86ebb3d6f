import type { ChainLog } from "../chain/log-wire.ts";
import { activityContracts } from "./activity-contracts.ts";
import { activityTopics } from "../chain/activity-topics.ts";
import { findOwner } from "./find-owner.ts";
import { logWords } from "../chain/log-words.ts";
import type { MovesLedger } from "./moves-ledger.ts";
import type { Operation } from "./operation.ts";
import { polymarketCollateral } from "./polymarket-collateral.ts";
import type { TokenFinder } from "./token-finder.ts";

const { zero, wrappedCollateral } = activityContracts;

type Burnt = Operation["deltas"];

/**
 * A redemption. The NegRiskAdapter says how much was burnt; ConditionalTokens says the payout alone, there it is what
 * the redeemer's tokens were burnt by before. Undefined for what is not Polymarket's.
 */
export function readRedemption(log: ChainLog, moves: MovesLedger, tokensOf: TokenFinder): Operation | undefined {
  const stakeholder = logWords.addressOf(log, 1);
  if (log.topics[0] === activityTopics.negRiskRedeemed) {
    const conditionId = logWords.topic(log, 2);
    const amounts = logWords.listAt(log, 0);
    const ids = tokensOf(wrappedCollateral, conditionId, [1n, 2n]);
    const burnt = ids.map((tokenId, index) => ({ tokenId, micro: -(amounts[index] ?? 0n) }));
    return told(log, moves, {
      contract: "neg_risk_adapter",
      stakeholder,
      conditionId,
      burnt,
      usd: logWords.at(log, 1),
    });
  }
  const collateral = logWords.addressOf(log, 2);
  if (!polymarketCollateral(collateral, logWords.topic(log, 3))) return undefined;
  const conditionId = logWords.hexAt(log, 0);
  const ids = tokensOf(collateral, conditionId, logWords.listAt(log, 1));
  const burnt = ids.map((tokenId) => {
    const [burn] = moves.takeBefore(log.logIndex, { from: stakeholder, to: zero, tokens: new Set([tokenId]) });
    return { tokenId, micro: -(burn?.micro ?? 0n) };
  });
  return told(log, moves, {
    contract: "conditional_tokens",
    stakeholder,
    conditionId,
    burnt,
    usd: logWords.at(log, 2),
  });
}

function told(
  log: ChainLog,
  moves: MovesLedger,
  said: Pick<Operation, "contract" | "stakeholder" | "conditionId" | "usd"> & { readonly burnt: Burnt },
): Operation {
  const { burnt, ...rest } = said;
  const deltas = burnt.filter(({ micro }) => micro !== 0n);
  const tokens = new Set(burnt.map(({ tokenId }) => tokenId));
  const wallet = findOwner(moves, log, { stakeholder: said.stakeholder, direction: "in", tokens });
  const micro = burnt.reduce((sum, one) => sum - one.micro, 0n);
  return { log, kind: "redemption", ...rest, wallet, marketId: undefined, indexSet: 0n, micro, deltas };
}
