import type { Feed } from "../../../definition/connector.ts";
import { blockWire, type ChainBlock } from "./block-wire.ts";

/** A block's header; undefined where the node does not have it (yet, or any more). */
export async function findHeader(feed: Feed, number: number): Promise<ChainBlock | undefined> {
  const block = await feed.rpc("eth_getBlockByNumber", [`0x${number.toString(16)}`, false], blockWire.nullable());
  return block ?? undefined;
}
