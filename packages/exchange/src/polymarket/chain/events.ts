import { parseAbi } from "viem/utils";

/**
 * Exchange V2 (CLOB V2, pUSD): `side` and `tokenId` name the trade, the fee is in pUSD. Reference polymarket.md §8.2.
 */
export const exchangeV2Abi = parseAbi([
  "event OrderFilled(bytes32 indexed orderHash, address indexed maker, address indexed taker, uint8 side, uint256 tokenId, uint256 makerAmountFilled, uint256 takerAmountFilled, uint256 fee, bytes32 builder, bytes32 metadata)",
  "event OrdersMatched(bytes32 indexed takerOrderHash, address indexed takerOrderMaker, uint8 side, uint256 tokenId, uint256 makerAmountFilled, uint256 takerAmountFilled)",
  "event FeeCharged(address indexed receiver, uint256 amount)",
]);

/** Exchange V1 (USDC.e): asset id 0 is collateral, the fee is in the asset received. Reference polymarket.md §8.2. */
export const exchangeV1Abi = parseAbi([
  "event OrderFilled(bytes32 indexed orderHash, address indexed maker, address indexed taker, uint256 makerAssetId, uint256 takerAssetId, uint256 makerAmountFilled, uint256 takerAmountFilled, uint256 fee)",
  "event OrdersMatched(bytes32 indexed takerOrderHash, address indexed takerOrderMaker, uint256 makerAssetId, uint256 takerAssetId, uint256 makerAmountFilled, uint256 takerAmountFilled)",
  "event FeeCharged(address indexed receiver, uint256 tokenId, uint256 amount)",
]);

/** Gnosis ConditionalTokens, as deployed on Polygon. Reference polymarket.md §8.2. */
export const conditionalTokensAbi = parseAbi([
  "event ConditionPreparation(bytes32 indexed conditionId, address indexed oracle, bytes32 indexed questionId, uint256 outcomeSlotCount)",
  "event ConditionResolution(bytes32 indexed conditionId, address indexed oracle, bytes32 indexed questionId, uint256 outcomeSlotCount, uint256[] payoutNumerators)",
  "event PositionSplit(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)",
  "event PositionsMerge(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)",
  "event PayoutRedemption(address indexed redeemer, address indexed collateralToken, bytes32 indexed parentCollectionId, bytes32 conditionId, uint256[] indexSets, uint256 payout)",
  "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
  "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
]);

/** NegRiskAdapter. Reference polymarket.md §8.2. */
export const negRiskAdapterAbi = parseAbi([
  "event PositionSplit(address indexed stakeholder, bytes32 indexed conditionId, uint256 amount)",
  "event PositionsMerge(address indexed stakeholder, bytes32 indexed conditionId, uint256 amount)",
  "event PositionsConverted(address indexed stakeholder, bytes32 indexed marketId, uint256 indexed indexSet, uint256 amount)",
  "event PayoutRedemption(address indexed redeemer, bytes32 indexed conditionId, uint256[] amounts, uint256 payout)",
  "event MarketPrepared(bytes32 indexed marketId, address indexed oracle, uint256 feeBips, bytes data)",
  "event QuestionPrepared(bytes32 indexed marketId, bytes32 indexed questionId, uint256 index, bytes data)",
  "event OutcomeReported(bytes32 indexed marketId, bytes32 indexed questionId, bool outcome)",
]);
