import type { Feed } from "../../../definition/connector.ts";
import { type ChainBlock, blockWire } from "./logs.ts";

const AT_ONCE = 20;

/** The headers of these blocks, one call each, a few at a time; the feed keeps the budget. */
export async function readBlocks(feed: Feed, numbers: readonly number[]): Promise<ReadonlyMap<number, ChainBlock>> {
  const blocks = await inParts(numbers, (number) => readBlock(feed, number));
  return new Map(blocks.map((block) => [block.number, block]));
}

/** Reads each item, a few at a time. */
export async function inParts<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const all: R[] = [];
  for (let place = 0; place < items.length; place += AT_ONCE) {
    all.push(...(await Promise.all(items.slice(place, place + AT_ONCE).map(read))));
  }
  return all;
}

/** A block's header. Throws if the node does not have it (yet, or any more). */
export async function readBlock(feed: Feed, number: number): Promise<ChainBlock> {
  const block = await findHeader(feed, number);
  if (block === undefined) throw new Error(`the node does not have block ${number}`);
  return block;
}

/** A block's header; undefined if the node does not have it (yet, or any more). */
export async function findHeader(feed: Feed, number: number): Promise<ChainBlock | undefined> {
  const block = await feed.rpc("eth_getBlockByNumber", [`0x${number.toString(16)}`, false], blockWire.nullable());
  return block ?? undefined;
}
