import { topicOf } from "./keccak.ts";

/** The exchanges on Polygon whose fills we read, in lower case. Source: reference/polymarket.md §8.1. */
export const exchangeContracts = {
  v1: "0x4bfb41d5b3570defd03c39a9a4d8de6bd8b8982e",
  v1NegRisk: "0xc5d563a36ae78145c45a50134d48a1215220f80a",
  v2: "0xe111180000d2663c0091e4f400237545b87b996b",
  v2NegRisk: "0xe2222d279d744050d28e00520010520000310f59",
  feeModule: "0xe3f18acc55091e2c48d883fc8c8413319d4ab7b0",
  feeModuleNegRisk: "0xb768891e3130f6df18214ac804d4db76c2c37730",
} as const;

/** V1 (USDC.e): asset id 0 is money, the fee is in the asset received; fee modules give part of it back. §8.2. */
const v1 = [
  "event OrderFilled(bytes32 indexed orderHash, address indexed maker, address indexed taker, uint256 makerAssetId, uint256 takerAssetId, uint256 makerAmountFilled, uint256 takerAmountFilled, uint256 fee)",
  "event OrdersMatched(bytes32 indexed takerOrderHash, address indexed takerOrderMaker, uint256 makerAssetId, uint256 takerAssetId, uint256 makerAmountFilled, uint256 takerAmountFilled)",
  "event FeeRefunded(bytes32 indexed orderHash, address indexed to, uint256 id, uint256 refund, uint256 indexed feeCharged)",
] as const;

/** V2 (pUSD): side and token are said, the fee is in USD. §8.2. */
const v2 = [
  "event OrderFilled(bytes32 indexed orderHash, address indexed maker, address indexed taker, uint8 side, uint256 tokenId, uint256 makerAmountFilled, uint256 takerAmountFilled, uint256 fee, bytes32 builder, bytes32 metadata)",
  "event OrdersMatched(bytes32 indexed takerOrderHash, address indexed takerOrderMaker, uint8 side, uint256 tokenId, uint256 makerAmountFilled, uint256 takerAmountFilled)",
] as const;

/** The events of both generations of Polymarket's exchange that fills are made of. */
export const exchangeEvents = { v1, v2 };

/** First topics of the events we read; the recorded values are in reference/polymarket.md §8.2. */
export const eventTopics = {
  filledV1: topicOf(v1[0]),
  matchedV1: topicOf(v1[1]),
  refundedV1: topicOf(v1[2]),
  filledV2: topicOf(v2[0]),
  matchedV2: topicOf(v2[1]),
} as const;

/** The `eth_getLogs` filter of a range of blocks: both generations of the exchange, with V1's fee modules. */
export function fillFilter(from: number, to: number): Record<string, unknown> {
  return {
    fromBlock: `0x${from.toString(16)}`,
    toBlock: `0x${to.toString(16)}`,
    address: Object.values(exchangeContracts),
    topics: [Object.values(eventTopics)],
  };
}
