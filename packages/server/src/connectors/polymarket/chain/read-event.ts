import { decodeAbiParameters, type Hex, parseAbiParameters } from "viem";
import type { ChainLog } from "./log-wire.ts";

/** The parameters of each event that are in its data, after those in its topics. §8.2. */
const v1Amounts = parseAbiParameters(
  "uint256 makerAssetId, uint256 takerAssetId, uint256 made, uint256 took, uint256 fee",
);
const v1Match = parseAbiParameters("uint256 makerAssetId, uint256 takerAssetId, uint256 made, uint256 took");
const v1Refund = parseAbiParameters("uint256 id, uint256 refund");
const v2Amounts = parseAbiParameters(
  "uint8 side, uint256 tokenId, uint256 made, uint256 took, uint256 fee, bytes32 builder, bytes32 metadata",
);
const v2Match = parseAbiParameters("uint8 side, uint256 tokenId, uint256 made, uint256 took");

const data = (log: ChainLog): Hex => log.data as Hex;

/**
 * The data of a log whose first topic said what it is. viem's decodeEventLog would hash the signature and the
 * addresses of every log again, which was two thirds of the time of a backfill.
 * Each throws viem's AbiDecodingDataSizeTooSmallError for data that is too short.
 */
export const readEvent = {
  filledV1: (log: ChainLog) => decodeAbiParameters(v1Amounts, data(log)),
  matchedV1: (log: ChainLog) => decodeAbiParameters(v1Match, data(log)),
  refundedV1: (log: ChainLog) => decodeAbiParameters(v1Refund, data(log)),
  filledV2: (log: ChainLog) => decodeAbiParameters(v2Amounts, data(log)),
  matchedV2: (log: ChainLog) => decodeAbiParameters(v2Match, data(log)),
} as const;
