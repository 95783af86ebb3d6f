import { z } from "zod";
import type { Feed } from "../../../definition/connector.ts";
import type { ChainStream } from "./chain-stream.ts";

/**
 * The first block from `from` to `head` whose logs the node still gives, when it gives those of the head but not those
 * of `from` ("History has been pruned"); undefined when it gives none, so that the fault is another one.
 */
export async function firstReadable(
  feed: Feed,
  { filter }: ChainStream,
  from: number,
  head: number,
): Promise<number | undefined> {
  if (!(await isReadable(feed, filter(head, head)))) return undefined;
  let low = from;
  let high = head;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isReadable(feed, filter(middle, middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}

async function isReadable(feed: Feed, filter: Record<string, unknown>): Promise<boolean> {
  try {
    await feed.rpc("eth_getLogs", [filter], z.array(z.unknown()));
    return true;
  } catch {
    return false;
  }
}
