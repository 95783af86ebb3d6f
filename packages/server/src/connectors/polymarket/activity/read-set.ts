import type { ChainLog } from "../chain/log-wire.ts";
import { activityContracts } from "./activity-contracts.ts";
import { activityTopics } from "../chain/activity-topics.ts";
import { findOwner } from "./find-owner.ts";
import { logWords } from "../chain/log-words.ts";
import type { MovesLedger } from "./moves-ledger.ts";
import type { Operation } from "./operation.ts";
import { polymarketCollateral } from "./polymarket-collateral.ts";
import type { TokenFinder } from "./token-finder.ts";

const { zero, negRiskAdapter, wrappedCollateral } = activityContracts;

/**
 * A split or merge of ConditionalTokens or of the NegRiskAdapter; undefined where it is of another collateral or of a
 * nested position, which Polymarket does not have.
 */
export function readSet(log: ChainLog, moves: MovesLedger, tokensOf: TokenFinder): Operation | undefined {
  const said = isOfAdapter(log) ? ofAdapter(log) : ofConditionalTokens(log);
  if (said === undefined) return undefined;
  const { kind, contract, conditionId, micro } = said;
  const stakeholder = logWords.addressOf(log, 1);
  const ids = tokensOf(said.collateral, conditionId, said.indexSets);
  const tokens = new Set(ids);
  const isSplit = kind === "split";
  // What the contract itself moved for this event explains nothing else.
  const self = contract === "neg_risk_adapter" ? negRiskAdapter : zero;
  moves.takeBefore(log.logIndex, {
    ...(isSplit ? { from: self, to: stakeholder } : { from: stakeholder, to: self }),
    tokens,
    micro,
  });
  const wallet = findOwner(moves, log, { stakeholder, direction: isSplit ? "out" : "in", tokens, micro });
  const change = isSplit ? micro : -micro;
  const deltas = ids.map((tokenId) => ({ tokenId, micro: change }));
  return {
    log,
    kind,
    contract,
    stakeholder,
    wallet,
    conditionId,
    marketId: undefined,
    indexSet: 0n,
    micro,
    usd: -change,
    deltas,
  };
}

type Said = Pick<Operation, "contract" | "micro"> & {
  readonly kind: "split" | "merge";
  readonly conditionId: string;
  readonly collateral: string;
  readonly indexSets: readonly bigint[];
};

function isOfAdapter(log: ChainLog): boolean {
  return log.topics[0] === activityTopics.negRiskSplit || log.topics[0] === activityTopics.negRiskMerged;
}

function ofAdapter(log: ChainLog): Said {
  return {
    kind: log.topics[0] === activityTopics.negRiskSplit ? "split" : "merge",
    contract: "neg_risk_adapter",
    conditionId: logWords.topic(log, 2),
    collateral: wrappedCollateral,
    indexSets: [1n, 2n],
    micro: logWords.at(log, 0),
  };
}

function ofConditionalTokens(log: ChainLog): Said | undefined {
  const collateral = logWords.addressAt(log, 0);
  if (!polymarketCollateral(collateral, logWords.topic(log, 2))) return undefined;
  return {
    kind: log.topics[0] === activityTopics.split ? "split" : "merge",
    contract: "conditional_tokens",
    conditionId: logWords.topic(log, 3),
    collateral,
    indexSets: logWords.listAt(log, 1),
    micro: logWords.at(log, 2),
  };
}
