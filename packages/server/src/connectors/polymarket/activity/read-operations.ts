import type { ChainLog } from "../chain/log-wire.ts";
import { activityTopics } from "../chain/activity-topics.ts";
import type { MovesLedger } from "./moves-ledger.ts";
import type { Operation } from "./operation.ts";
import { readConversion } from "./read-conversion.ts";
import { readRedemption } from "./read-redemption.ts";
import { readSet } from "./read-set.ts";
import type { TokenFinder } from "./token-finder.ts";

/** The operations of one transaction, in order: each takes the moves that belong to it. */
export function readOperations(logs: readonly ChainLog[], moves: MovesLedger, tokensOf: TokenFinder): Operation[] {
  return logs.flatMap((log) => readOperation(log, moves, tokensOf) ?? []);
}

function readOperation(log: ChainLog, moves: MovesLedger, tokensOf: TokenFinder): Operation | undefined {
  switch (log.topics[0]) {
    case activityTopics.split:
    case activityTopics.merged:
    case activityTopics.negRiskSplit:
    case activityTopics.negRiskMerged:
      return readSet(log, moves, tokensOf);
    case activityTopics.redeemed:
    case activityTopics.negRiskRedeemed:
      return readRedemption(log, moves, tokensOf);
    case activityTopics.converted:
      return readConversion(log, moves);
    default:
      return undefined;
  }
}
