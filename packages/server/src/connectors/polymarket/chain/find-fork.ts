import type { Feed } from "../../../definition/connector.ts";
import { isMarked } from "./block-marks.ts";
import type { ChainBlock } from "./block-wire.ts";
import type { ChainPlace } from "./chain-place.ts";
import { findHeader } from "./find-header.ts";

const AT_ONCE = 20;

/**
 * Whether the chain still is the one that was read up to `place`: "same", also where the node does not go that far;
 * else the newest block that both have, or "unknown" where no marked one is left.
 */
export async function findFork(
  feed: Feed,
  { marks }: ChainPlace,
  head: number,
): Promise<"same" | "unknown" | ChainBlock> {
  const newest = marks.filter(({ number }) => number <= head).toReversed();
  for (let place = 0; place < newest.length; place += place === 0 ? 1 : AT_ONCE) {
    const some = newest.slice(place, place + (place === 0 ? 1 : AT_ONCE));
    const headers = await Promise.all(some.map(({ number }) => findHeader(feed, number)));
    // A header that is missing was answered by a node that lags: it says nothing of the block.
    if (headers[0] === undefined && place === 0) return "same";
    const found = headers.find((header, index) => header && some[index] && isMarked(some[index], header.hash));
    if (found !== undefined) return place === 0 ? "same" : found;
  }
  return newest.length === 0 ? "same" : "unknown";
}
