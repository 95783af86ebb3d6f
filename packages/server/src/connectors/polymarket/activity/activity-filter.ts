import { activityContracts } from "./activity-contracts.ts";
import { activityTopics } from "../chain/activity-topics.ts";

/** The `eth_getLogs` filter of a range of blocks: everything the two contracts tell of tokens, in one call. */
export function activityFilter(from: number, to: number): Record<string, unknown> {
  return {
    fromBlock: `0x${from.toString(16)}`,
    toBlock: `0x${to.toString(16)}`,
    address: [activityContracts.conditionalTokens, activityContracts.negRiskAdapter],
    topics: [Object.values(activityTopics)],
  };
}
