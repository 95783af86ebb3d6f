import { eventTopics, readEvent } from "./exchange-events.ts";
import type { ChainLog } from "./logs.ts";

/** One filled order as its event tells it. Amounts are millionths; `shares` and `usd` leave the fee out. */
export type Leg = {
  readonly log: ChainLog;
  readonly generation: "chain_v1" | "chain_v2";
  readonly orderHash: string;
  readonly wallet: string;
  readonly isTaker: boolean;
  readonly side: "BUY" | "SELL";
  readonly tokenId: bigint;
  readonly shares: bigint;
  readonly usd: bigint;
  readonly feeUsd: bigint;
};

/**
 * Reads an OrderFilled of either generation. `refunded` is what V1's fee module gave back of this order's fee, in the
 * same asset. Throws for data or topics that are not what the first topic says.
 */
export function decodeLeg(log: ChainLog, refunded: bigint): Leg {
  if (log.topics[0] === eventTopics.filledV2) {
    const [side, tokenId, made, took, fee] = readEvent.filledV2(log);
    const isBuy = side === 0;
    return { ...named(log, isBuy), ...sides(isBuy, made, took), generation: "chain_v2", tokenId, feeUsd: fee };
  }
  const [makerAssetId, takerAssetId, made, took, charged] = readEvent.filledV1(log);
  const isBuy = makerAssetId === 0n;
  const { shares, usd } = sides(isBuy, made, took);
  const fee = charged > refunded ? charged - refunded : 0n;
  // A V1 buyer paid the fee in shares of what was received: valued at the price of this fill, rounded down.
  const feeUsd = !isBuy ? fee : shares === 0n ? 0n : (fee * usd) / shares;
  const tokenId = isBuy ? takerAssetId : makerAssetId;
  return { ...named(log, isBuy), shares, usd, generation: "chain_v1", tokenId, feeUsd };
}

/** A buyer gives money and gets shares, a seller the reverse. */
function sides(isBuy: boolean, made: bigint, took: bigint): Pick<Leg, "shares" | "usd"> {
  return isBuy ? { usd: made, shares: took } : { usd: took, shares: made };
}

function named(log: ChainLog, isBuy: boolean): Pick<Leg, "log" | "orderHash" | "wallet" | "isTaker" | "side"> {
  const [, orderHash, maker, taker] = log.topics;
  if (orderHash === undefined || maker === undefined || taker === undefined) {
    throw new RangeError(`OrderFilled of ${log.transactionHash} has ${log.topics.length} topics`);
  }
  return {
    log,
    orderHash,
    wallet: address(maker),
    // The taker's own order is filled against the exchange (reference/polymarket.md §8.3.1).
    isTaker: address(taker) === log.address,
    side: isBuy ? "BUY" : "SELL",
  };
}

/** The address in a topic: its last twenty bytes. */
function address(topic: string): string {
  return `0x${topic.slice(-40)}`;
}
