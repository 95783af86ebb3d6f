import type { Feed } from "../../../definition/connector.ts";
import { blockWire } from "./block-wire.ts";

/**
 * The first block in `low`…`high` whose time is at or after `seconds`; `high + 1` when none is. Times rise with
 * numbers, so a binary search of about twenty-six calls finds it. Blocks a node no longer has (it answers null)
 * count as earlier: the answer is then the first block it has.
 */
export async function findBlock(feed: Feed, seconds: number, low: number, high: number): Promise<number> {
  let from = low;
  let to = high + 1;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const block = await feed.rpc("eth_getBlockByNumber", [`0x${middle.toString(16)}`, false], blockWire.nullable());
    if (block !== null && block.timestamp >= seconds) to = middle;
    else from = middle + 1;
  }
  return from;
}
