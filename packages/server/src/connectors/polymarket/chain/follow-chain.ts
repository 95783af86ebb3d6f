import type { Batch, PullOptions } from "../../../definition/connector.ts";
import { isoSeconds } from "../exact/iso-seconds.ts";
import { readPlace, writePlace } from "./chain-place.ts";
import type { ChainStream } from "./chain-stream.ts";
import { findBlock } from "./find-block.ts";
import { readBlock } from "./read-block.ts";
import { readHead } from "./read-head.ts";
import { returnToFork } from "./return-to-fork.ts";
import { walkBlocks } from "./walk-blocks.ts";

/** Where the very first run begins: about a quarter of an hour of blocks behind the head. */
const FIRST_BLOCKS = 600;

/**
 * Goes on where the cursor is, up to the head; a very first run begins about a quarter of an hour behind it. Each turn
 * looks first whether the chain still is the one that was read, and goes back to where it forks where it is not.
 */
export async function* followChain(stream: ChainStream, options: PullOptions): AsyncGenerator<Batch, void, void> {
  const { feed, cursor } = options;
  const head = await readHead(feed);
  const saved = readPlace(cursor);
  if (saved === undefined) {
    const first = await readBlock(feed, await findBlock(feed, 0, Math.max(0, head - FIRST_BLOCKS), head));
    const since = isoSeconds(first.timestamp);
    const place = { block: first.number - 1, at: since, marks: [] };
    for await (const batch of walkBlocks(stream, options, { place, to: head, head, exactFrom: 0 })) {
      yield { ...batch, since };
    }
    return;
  }
  const { place, batch } = await returnToFork(feed, saved, head);
  if (batch !== undefined) yield batch;
  // A node that lags behind the one asked last time has nothing new to say.
  if (head <= place.block) yield { rows: [], cursor: writePlace(place), isCaughtUp: true };
  else yield* walkBlocks(stream, options, { place, to: head, head, exactFrom: 0 });
}
