import { activityContracts } from "../activity/contracts.ts";
import { topicOf } from "./keccak.ts";

/** The events of ConditionalTokens (§8.2). */
const ctf = [
  "event ConditionResolution(bytes32 indexed conditionId, address indexed oracle, bytes32 indexed questionId, uint256 outcomeSlotCount, uint256[] payoutNumerators)",
  "event PositionSplit(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)",
  "event PositionsMerge(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)",
  "event PayoutRedemption(address indexed redeemer, address indexed collateralToken, bytes32 indexed parentCollectionId, bytes32 conditionId, uint256[] indexSets, uint256 payout)",
  "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
  "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
] as const;

/** The events of the NegRiskAdapter (§8.2). OutcomeReported says nothing that ConditionResolution does not. */
const negRisk = [
  "event PositionSplit(address indexed stakeholder, bytes32 indexed conditionId, uint256 amount)",
  "event PositionsMerge(address indexed stakeholder, bytes32 indexed conditionId, uint256 amount)",
  "event PositionsConverted(address indexed stakeholder, bytes32 indexed marketId, uint256 indexed indexSet, uint256 amount)",
  "event PayoutRedemption(address indexed redeemer, bytes32 indexed conditionId, uint256[] amounts, uint256 payout)",
  "event QuestionPrepared(bytes32 indexed marketId, bytes32 indexed questionId, uint256 index, bytes data)",
] as const;

/** First topics of the events that chain activity is made of; the recorded values are in reference/polymarket.md §8.2. */
export const activityTopics = {
  resolved: topicOf(ctf[0]),
  split: topicOf(ctf[1]),
  merged: topicOf(ctf[2]),
  redeemed: topicOf(ctf[3]),
  movedOne: topicOf(ctf[4]),
  movedMany: topicOf(ctf[5]),
  negRiskSplit: topicOf(negRisk[0]),
  negRiskMerged: topicOf(negRisk[1]),
  converted: topicOf(negRisk[2]),
  negRiskRedeemed: topicOf(negRisk[3]),
  questionPrepared: topicOf(negRisk[4]),
} as const;

/** The `eth_getLogs` filter of a range of blocks: everything the two contracts tell of tokens, in one call. */
export function activityFilter(from: number, to: number): Record<string, unknown> {
  return {
    fromBlock: `0x${from.toString(16)}`,
    toBlock: `0x${to.toString(16)}`,
    address: [activityContracts.conditionalTokens, activityContracts.negRiskAdapter],
    topics: [Object.values(activityTopics)],
  };
}
