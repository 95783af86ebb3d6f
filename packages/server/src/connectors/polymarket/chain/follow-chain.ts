import type { Batch, PullOptions } from "../../../definition/connector.ts";
import { isoSeconds } from "../exact/iso-seconds.ts";
import type { ChainStream } from "./chain-stream.ts";
import { findBlock } from "./find-block.ts";
import { readBlock } from "./read-block.ts";
import { readHead } from "./read-head.ts";
import { walkBlocks } from "./walk-blocks.ts";

/** Blocks read again every turn, so that what a short reorganisation brought in is not lost. */
const READ_AGAIN = 16;
/** Where the very first run begins: about a quarter of an hour of blocks behind the head. */
const FIRST_BLOCKS = 600;

/** Goes on where the cursor is, up to the head; a very first run begins about a quarter of an hour behind it. */
export async function* followChain(stream: ChainStream, options: PullOptions): AsyncGenerator<Batch, void, void> {
  const { feed, cursor } = options;
  const head = await readHead(feed);
  const done = cursor?.["block"];
  if (cursor === undefined || typeof done !== "number") {
    const from = await firstOf(options, head);
    const since = isoSeconds((await readBlock(feed, from)).timestamp);
    for await (const batch of walkBlocks(stream, options, [from, head], since)) yield { ...batch, since };
    return;
  }
  // A node that lags behind the one asked last time has nothing new to say.
  if (head <= done) yield { rows: [], cursor, isCaughtUp: true };
  else yield* walkBlocks(stream, options, [Math.max(0, done + 1 - READ_AGAIN), head], String(cursor["at"]));
}

/** The block a first run begins at: some way behind the head, or the first one there is. */
async function firstOf({ feed }: PullOptions, head: number): Promise<number> {
  return findBlock(feed, 0, Math.max(0, head - FIRST_BLOCKS), head);
}
