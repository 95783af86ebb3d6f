import type { Feed } from "../../../definition/connector.ts";
import { blockWire, type ChainBlock } from "./block-wire.ts";

/** A block's header. Throws where the node does not have it (yet, or any more). */
export async function readBlock(feed: Feed, number: number): Promise<ChainBlock> {
  const block = await feed.rpc("eth_getBlockByNumber", [`0x${number.toString(16)}`, false], blockWire.nullable());
  if (block === null) throw new Error(`the node does not have block ${number}`);
  return block;
}
