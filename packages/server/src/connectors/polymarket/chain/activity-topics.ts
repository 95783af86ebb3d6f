import { parseAbi, toEventSelector } from "viem";
import { activityContracts } from "../activity/contracts.ts";

/** The events of ConditionalTokens (§8.2). */
const ctf = parseAbi([
  "event ConditionResolution(bytes32 indexed conditionId, address indexed oracle, bytes32 indexed questionId, uint256 outcomeSlotCount, uint256[] payoutNumerators)",
  "event PositionSplit(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)",
  "event PositionsMerge(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)",
  "event PayoutRedemption(address indexed redeemer, address indexed collateralToken, bytes32 indexed parentCollectionId, bytes32 conditionId, uint256[] indexSets, uint256 payout)",
  "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
  "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
]);

/** The events of the NegRiskAdapter (§8.2). OutcomeReported says nothing that ConditionResolution does not. */
const negRisk = parseAbi([
  "event PositionSplit(address indexed stakeholder, bytes32 indexed conditionId, uint256 amount)",
  "event PositionsMerge(address indexed stakeholder, bytes32 indexed conditionId, uint256 amount)",
  "event PositionsConverted(address indexed stakeholder, bytes32 indexed marketId, uint256 indexed indexSet, uint256 amount)",
  "event PayoutRedemption(address indexed redeemer, bytes32 indexed conditionId, uint256[] amounts, uint256 payout)",
  "event QuestionPrepared(bytes32 indexed marketId, bytes32 indexed questionId, uint256 index, bytes data)",
]);

/** First topics of the events that chain activity is made of; the recorded values are in reference/polymarket.md §8.2. */
export const activityTopics = {
  resolved: toEventSelector(ctf[0]),
  split: toEventSelector(ctf[1]),
  merged: toEventSelector(ctf[2]),
  redeemed: toEventSelector(ctf[3]),
  movedOne: toEventSelector(ctf[4]),
  movedMany: toEventSelector(ctf[5]),
  negRiskSplit: toEventSelector(negRisk[0]),
  negRiskMerged: toEventSelector(negRisk[1]),
  converted: toEventSelector(negRisk[2]),
  negRiskRedeemed: toEventSelector(negRisk[3]),
  questionPrepared: toEventSelector(negRisk[4]),
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
