import { topicsOf } from "./keccak.ts";

/** The exchanges on Polygon whose fills we read, in lower case. Source: reference/polymarket.md §8.1. */
export const exchangeContracts = {
  v1: "0x4bfb41d5b3570defd03c39a9a4d8de6bd8b8982e",
  v1NegRisk: "0xc5d563a36ae78145c45a50134d48a1215220f80a",
  v2: "0xe111180000d2663c0091e4f400237545b87b996b",
  v2NegRisk: "0xe2222d279d744050d28e00520010520000310f59",
  feeModule: "0xe3f18acc55091e2c48d883fc8c8413319d4ab7b0",
  feeModuleNegRisk: "0xb768891e3130f6df18214ac804d4db76c2c37730",
} as const;

/** The events of both exchange generations from which fills are made (§8.2). */
export const exchangeEvents = {
  // V1 (USDC.e): asset id 0 is money, the fee is in the asset received; fee modules refund part of it.
  filledV1:
    "event OrderFilled(bytes32 indexed orderHash, address indexed maker, address indexed taker, uint256 makerAssetId, uint256 takerAssetId, uint256 makerAmountFilled, uint256 takerAmountFilled, uint256 fee)",
  matchedV1:
    "event OrdersMatched(bytes32 indexed takerOrderHash, address indexed takerOrderMaker, uint256 makerAssetId, uint256 takerAssetId, uint256 makerAmountFilled, uint256 takerAmountFilled)",
  refundedV1:
    "event FeeRefunded(bytes32 indexed orderHash, address indexed to, uint256 id, uint256 refund, uint256 indexed feeCharged)",
  // V2 (pUSD): side and token are explicit, the fee is in USD.
  filledV2:
    "event OrderFilled(bytes32 indexed orderHash, address indexed maker, address indexed taker, uint8 side, uint256 tokenId, uint256 makerAmountFilled, uint256 takerAmountFilled, uint256 fee, bytes32 builder, bytes32 metadata)",
  matchedV2:
    "event OrdersMatched(bytes32 indexed takerOrderHash, address indexed takerOrderMaker, uint8 side, uint256 tokenId, uint256 makerAmountFilled, uint256 takerAmountFilled)",
} as const;

/** First topics of the events we read; the recorded values are in reference/polymarket.md §8.2. */
export const eventTopics = topicsOf(exchangeEvents);

/** The log filter of fills: both generations of the exchange, with V1's fee modules. */
export const fillLogs = { address: Object.values(exchangeContracts), topics: [Object.values(eventTopics)] };
