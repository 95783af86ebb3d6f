import type { Feed } from "../../../definition/connector.ts";
import type { ChainBlock } from "./block-wire.ts";
import { readBlock } from "./read-block.ts";

const AT_ONCE = 20;

/** The headers of these blocks, one call each, a few at a time; the feed keeps the budget. */
export async function readBlocks(feed: Feed, numbers: readonly number[]): Promise<ReadonlyMap<number, ChainBlock>> {
  const blocks = new Map<number, ChainBlock>();
  for (let index = 0; index < numbers.length; index += AT_ONCE) {
    const some = numbers.slice(index, index + AT_ONCE);
    const read = await Promise.all(some.map((number) => readBlock(feed, number)));
    for (const block of read) blocks.set(block.number, block);
  }
  return blocks;
}
