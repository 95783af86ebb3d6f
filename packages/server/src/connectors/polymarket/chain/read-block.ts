import type { Feed } from "../../../definition/connector.ts";
import type { ChainBlock } from "./block-wire.ts";
import { findHeader } from "./find-header.ts";

/** A block's header. Throws where the node does not have it (yet, or any more). */
export async function readBlock(feed: Feed, number: number): Promise<ChainBlock> {
  const block = await findHeader(feed, number);
  if (block === undefined) throw new Error(`the node does not have block ${number}`);
  return block;
}
