import { eventTopics } from "./exchange-events.ts";
import { type ChainLog, logWords } from "./logs.ts";

/** One filled order as its event states it. Amounts are millionths; `shares` and `usd` exclude the fee. */
export type Leg = {
  readonly log: ChainLog;
  readonly generation: "chain_v1" | "chain_v2";
  readonly orderHash: string;
  readonly wallet: string;
  readonly isTaker: boolean;
  readonly side: "BUY" | "SELL";
  /** In decimal digits. */
  readonly tokenId: string;
  readonly shares: bigint;
  readonly usd: bigint;
  readonly feeUsd: bigint;
};

/**
 * Reads an OrderFilled of either generation: the words of its data are in the order in which `exchangeEvents` names
 * them. Decoding by viem, which copies every log into bytes, took most of the cost of making fills. `refunded` is the
 * part of this order's fee that V1's fee module returned, in the same asset. Throws a RangeError for data or topics
 * that do not fit the first topic.
 */
export function decodeLeg(log: ChainLog, refunded: bigint): Leg {
  const isV2 = log.topics[0] === eventTopics.filledV2;
  const { side, tokenId } = isV2 ? assetOfV2(log) : assetOfV1(log);
  const [made, took, charged] = [logWords.at(log, 2), logWords.at(log, 3), logWords.at(log, 4)];
  const isBuy = side === "BUY";
  // A buyer gives money and gets shares, a seller the reverse.
  const [shares, usd] = isBuy ? [took, made] : [made, took];
  const leg = {
    log,
    orderHash: logWords.topic(log, 1),
    wallet: logWords.addressOf(log, 2),
    // The taker's own order is filled against the exchange (reference/polymarket.md §8.3.1).
    isTaker: logWords.addressOf(log, 3) === log.address,
    side,
    tokenId,
    shares,
    usd,
  };
  if (isV2) return { ...leg, generation: "chain_v2", feeUsd: charged };
  const fee = charged > refunded ? charged - refunded : 0n;
  // A V1 buyer paid the fee in shares of what was received: valued at the price of this fill, rounded down.
  const feeUsd = !isBuy ? fee : shares === 0n ? 0n : (fee * usd) / shares;
  return { ...leg, generation: "chain_v1", feeUsd };
}

/** Side and token of a V2 OrderFilled or OrdersMatched: words `side` and `tokenId`. */
export function assetOfV2(log: ChainLog): Pick<Leg, "side" | "tokenId"> {
  return { side: logWords.at(log, 0) === 0n ? "BUY" : "SELL", tokenId: String(logWords.at(log, 1)) };
}

/** The same of V1: words `makerAssetId` and `takerAssetId`, of which the one that is 0 is money. */
export function assetOfV1(log: ChainLog): Pick<Leg, "side" | "tokenId"> {
  const made = logWords.at(log, 0);
  return made === 0n ? { side: "BUY", tokenId: String(logWords.at(log, 1)) } : { side: "SELL", tokenId: String(made) };
}

type Traded = Pick<Leg, "side" | "tokenId">;
export type MatchKind = "complementary" | "mint" | "merge" | "unknown";

/**
 * How a maker's leg met the taker's: the same token on opposite sides changes hands; two buys of opposite tokens mint a
 * set, two sells merge one. An undefined taker means the operator filled the order alone.
 */
export function makerKind(maker: Traded, taker: Traded | undefined): MatchKind {
  if (taker === undefined) return "unknown";
  if (maker.tokenId === taker.tokenId) return maker.side === taker.side ? "unknown" : "complementary";
  if (maker.side !== taker.side) return "unknown";
  return maker.side === "BUY" ? "mint" : "merge";
}

/** A taker's leg has its makers' kind, complementary if these differ. */
export function takerKind(makers: readonly MatchKind[]): MatchKind {
  const [first, ...others] = new Set(makers);
  if (first === undefined) return "unknown";
  return others.length === 0 ? first : "complementary";
}
