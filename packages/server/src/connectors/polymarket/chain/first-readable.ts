import { z } from "zod";
import type { Feed } from "../../../definition/connector.ts";
import { fillFilter } from "./fill-filter.ts";

/**
 * The first block from `from` to `head` whose logs the node still gives, when it gives those of the head but not those
 * of `from` ("History has been pruned"); undefined when it gives none, so that the fault is another one.
 */
export async function firstReadable(feed: Feed, from: number, head: number): Promise<number | undefined> {
  if (!(await isReadable(feed, head))) return undefined;
  let low = from;
  let high = head;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isReadable(feed, middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

async function isReadable(feed: Feed, block: number): Promise<boolean> {
  try {
    await feed.rpc("eth_getLogs", [fillFilter(block, block)], z.array(z.unknown()));
    return true;
  } catch {
    return false;
  }
}
