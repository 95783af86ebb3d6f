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

/** Polygon's approximate block time: only the first guess needs it. */
const BLOCK_SECONDS = 2;

type Known = { readonly number: number; readonly timestamp: number };

/**
 * The first block in `low`…`high` whose time (whole seconds) is at or after `seconds`; `high + 1` if there is none.
 * Block times rise nearly evenly, so some seven calls search the entire chain; if they are uneven, at most twice the
 * calls of a binary search. Blocks a node no longer has (it answers null) count as earlier: the result is then the
 * first block it has.
 */
export async function findBlock(feed: Feed, seconds: number, low: number, high: number): Promise<number> {
  const newest = await findHeader(feed, high);
  if (newest !== undefined && newest.timestamp < seconds) return high + 1;
  // A lagging node answers null for the newest block, which proves nothing about it.
  let [from, to] = [low, newest === undefined ? high + 1 : high];
  /** The last two headers read, the newer one last. */
  let known: readonly Known[] = newest === undefined ? [] : [newest];
  let hasMissing = newest === undefined;
  let isGuess = !hasMissing;
  while (from < to) {
    const width = to - from;
    const number = isGuess ? guess(known, seconds, from, to) : Math.floor((from + to) / 2);
    const block = await findHeader(feed, number);
    if (block !== undefined && block.timestamp >= seconds) to = number;
    else from = number + 1;
    if (block === undefined) hasMissing = true;
    else known = [...known.slice(-1), block];
    // After a guess that left most of the range the middle is read, to stay close to a binary search.
    isGuess = !hasMissing && (!isGuess || to - from <= width / 2);
  }
  return from;
}

/**
 * Interpolates linearly from the last two known blocks, with a margin towards the wider side, so that the next answer
 * bounds the target from the other side.
 */
function guess(known: readonly Known[], seconds: number, from: number, to: number): number {
  const [last, other] = [known.at(-1), known.at(-2)];
  if (last === undefined) return Math.floor((from + to) / 2);
  const rise = other === undefined ? 0 : (last.timestamp - other.timestamp) / (last.number - other.number);
  const expected = last.number + Math.ceil((seconds - last.timestamp) / (rise > 0 ? rise : BLOCK_SECONDS));
  const margin = Math.floor(Math.cbrt(to - from) / 2);
  const aimed = expected + (expected - from < to - expected ? margin : -margin);
  return Math.min(Math.max(aimed, from), to - 1);
}
