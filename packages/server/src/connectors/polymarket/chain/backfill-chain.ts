import type { Batch, Feed, PullOptions } from "../../../definition/connector.ts";
import { isoSeconds } from "../exact/iso-seconds.ts";
import { blockWire } from "./block-wire.ts";
import { type ChainPlace, readPlace, writePlace } from "./chain-place.ts";
import type { ChainStream } from "./chain-stream.ts";
import { findBlock } from "./find-block.ts";
import { readBlock } from "./read-block.ts";
import { readHead } from "./read-head.ts";
import { returnToFork } from "./return-to-fork.ts";
import { walkBlocks } from "./walk-blocks.ts";

/** Blocks deeper than this below the head are not replaced any more. */
const SETTLED = 600;
/** Each round reads again what was replaced while the one before read it. */
const MOST_ROUNDS = 8;
/** A shorter time between a range's start and the first block is that of a block. */
const MISSING_MS = 60_000;

/**
 * The blocks of a range of time, as far as the node has them; what it has not is said as a gap. Near the head it ends
 * only when the chain still is the one that was read.
 */
export async function* backfillChain(
  stream: ChainStream,
  options: PullOptions,
  range: { readonly from: string; readonly to: string },
): AsyncGenerator<Batch, void, void> {
  const { feed, cursor, signal } = options;
  const head = await readHead(feed);
  const lowest = head > stream.firstBlock ? stream.firstBlock : 0;
  const first = await findBlock(feed, Math.floor(Date.parse(range.from) / 1000), lowest, head);
  const beyond = await findBlock(feed, Math.floor(Date.parse(range.to) / 1000) + 1, first, head);
  const gap = await missingBefore(feed, first, lowest, range.from);
  const start: ChainPlace = { block: first - 1, at: range.from, marks: [] };
  if (gap !== undefined) yield { rows: [], cursor: cursor ?? writePlace(start), gap };
  const saved = readPlace(cursor);
  let place = saved === undefined || saved.block < first - 1 ? start : saved;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const returned = await returnToFork(feed, place, head);
    if (returned.batch !== undefined) yield { ...returned.batch, isCaughtUp: false };
    place = returned.place.block < first - 1 ? start : returned.place;
    if (place.block >= beyond - 1) break;
    const walk = walkBlocks(stream, options, { place, to: beyond - 1, head, exactFrom: head - SETTLED });
    for (let step = await walk.next(); ; step = await walk.next()) {
      if (step.done) {
        place = step.value;
        break;
      }
      yield { ...step.value, since: range.from, isCaughtUp: false };
    }
    if (signal.aborted) return;
  }
  if (place.block < beyond - 1) throw new Error(`Polygon's newest blocks change faster than they can be read`);
  // Where the range goes on beyond the head, only what was read is complete.
  const until = beyond <= head ? range.to : isoSeconds((await readBlock(feed, head)).timestamp);
  yield { rows: [], cursor: writePlace(place), since: range.from, reached: until, isCaughtUp: true, isCanonical: true };
}

/** The time before the first block a node has, where the range begins earlier than that. */
async function missingBefore(feed: Feed, first: number, lowest: number, from: string): Promise<Batch["gap"]> {
  if (first <= lowest) return undefined;
  const query = [`0x${(first - 1).toString(16)}`, false];
  const before = await feed.rpc("eth_getBlockByNumber", query, blockWire.nullable());
  if (before !== null) return undefined;
  const to = isoSeconds((await readBlock(feed, first)).timestamp);
  const missesMs = Date.parse(to) - Date.parse(from);
  return missesMs > MISSING_MS ? { from, to, reason: `the node has no blocks before ${first}` } : undefined;
}
