import { activityContracts } from "../activity/contracts.ts";
import { topicsOf } from "./keccak.ts";

/** The events of chain activity (§8.2), first those of ConditionalTokens. */
export const activityEvents = {
  resolved:
    "event ConditionResolution(bytes32 indexed conditionId, address indexed oracle, bytes32 indexed questionId, uint256 outcomeSlotCount, uint256[] payoutNumerators)",
  split:
    "event PositionSplit(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)",
  merged:
    "event PositionsMerge(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)",
  redeemed:
    "event PayoutRedemption(address indexed redeemer, address indexed collateralToken, bytes32 indexed parentCollectionId, bytes32 conditionId, uint256[] indexSets, uint256 payout)",
  movedOne:
    "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
  movedMany:
    "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
  // NegRiskAdapter events. OutcomeReported adds nothing to ConditionResolution.
  negRiskSplit: "event PositionSplit(address indexed stakeholder, bytes32 indexed conditionId, uint256 amount)",
  negRiskMerged: "event PositionsMerge(address indexed stakeholder, bytes32 indexed conditionId, uint256 amount)",
  converted:
    "event PositionsConverted(address indexed stakeholder, bytes32 indexed marketId, uint256 indexed indexSet, uint256 amount)",
  negRiskRedeemed:
    "event PayoutRedemption(address indexed redeemer, bytes32 indexed conditionId, uint256[] amounts, uint256 payout)",
  questionPrepared:
    "event QuestionPrepared(bytes32 indexed marketId, bytes32 indexed questionId, uint256 index, bytes data)",
} as const;

/** Their first topics; the recorded values are in reference/polymarket.md §8.2. */
export const activityTopics = topicsOf(activityEvents);

/** The log filter of chain activity: all token events of the two contracts, in one call. */
export const activityLogs = {
  address: [activityContracts.conditionalTokens, activityContracts.negRiskAdapter],
  topics: [Object.values(activityTopics)],
};
