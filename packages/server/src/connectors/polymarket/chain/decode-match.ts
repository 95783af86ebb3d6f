import type { Leg } from "./decode-leg.ts";
import { eventTopics } from "./event-topics.ts";
import type { ChainLog } from "./log-wire.ts";
import { readEvent } from "./read-event.ts";

/** The taker's side and token as OrdersMatched tells them, for a match whose taker leg is not among the logs. */
export function decodeMatch(log: ChainLog): Pick<Leg, "side" | "tokenId"> {
  if (log.topics[0] === eventTopics.matchedV2) {
    const [side, tokenId] = readEvent.matchedV2(log);
    return { side: side === 0 ? "BUY" : "SELL", tokenId };
  }
  const [makerAssetId, takerAssetId] = readEvent.matchedV1(log);
  return makerAssetId === 0n ? { side: "BUY", tokenId: takerAssetId } : { side: "SELL", tokenId: makerAssetId };
}
