import type { Batch, Feed, PullOptions } from "../../../definition/connector.ts";
import { isoSeconds } from "../exact/iso-seconds.ts";
import { blockWire } from "./block-wire.ts";
import type { ChainStream } from "./chain-stream.ts";
import { findBlock } from "./find-block.ts";
import { readBlock } from "./read-block.ts";
import { readHead } from "./read-head.ts";
import { walkBlocks } from "./walk-blocks.ts";

/** A shorter time between a range's start and the first block is that of a block. */
const MISSING_MS = 60_000;

/** The blocks of a range of time, as far as the node has them; what it has not is said as a gap. */
export async function* backfillChain(
  stream: ChainStream,
  options: PullOptions,
  range: { readonly from: string; readonly to: string },
): AsyncGenerator<Batch, void, void> {
  const { feed, cursor } = options;
  const head = await readHead(feed);
  const lowest = head > stream.firstBlock ? stream.firstBlock : 0;
  const first = await findBlock(feed, Math.floor(Date.parse(range.from) / 1000), lowest, head);
  const beyond = await findBlock(feed, Math.floor(Date.parse(range.to) / 1000) + 1, first, head);
  const done = cursor?.["block"];
  const from = typeof done === "number" ? Math.max(first, done + 1) : first;
  const isWithin = beyond <= head;
  const gap = await missingBefore(feed, first, lowest, range.from);
  if (gap !== undefined) yield { rows: [], cursor: cursor ?? { block: first - 1 }, gap };
  for await (const batch of walkBlocks(stream, options, [from, beyond - 1], range.from)) {
    yield { ...batch, since: range.from, isCaughtUp: false };
  }
  if (options.signal.aborted) return;
  // Where the range goes on beyond the head, only what was read is complete.
  const until = isWithin ? range.to : isoSeconds((await readBlock(feed, head)).timestamp);
  yield { rows: [], cursor: { block: beyond - 1 }, since: range.from, reached: until, isCaughtUp: true };
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
