import { toEventSelector } from "viem";
import { exchangeEvents } from "./exchange-events.ts";

/** First topics of the events we read; the recorded values are in reference/polymarket.md §8.2. */
export const eventTopics = {
  filledV1: toEventSelector(exchangeEvents.v1[0]),
  matchedV1: toEventSelector(exchangeEvents.v1[1]),
  refundedV1: toEventSelector(exchangeEvents.v1[2]),
  filledV2: toEventSelector(exchangeEvents.v2[0]),
  matchedV2: toEventSelector(exchangeEvents.v2[1]),
} as const;
