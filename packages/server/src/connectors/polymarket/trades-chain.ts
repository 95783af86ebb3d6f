import { type Batch, definePull, type Feed, type PullOptions } from "../../definition/connector.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { blockWire } from "./chain/block-wire.ts";
import { findBlock } from "./chain/find-block.ts";
import { quantityWire } from "./chain/quantity-wire.ts";
import { readBlock } from "./chain/read-block.ts";
import { walkBlocks } from "./chain/walk-blocks.ts";
import { isoSeconds } from "./exact/iso-seconds.ts";
import { polygonHost } from "./hosts/polygon-host.ts";

/** Blocks left alone behind the head: nodes behind one address differ by that much. */
const CONFIRMATIONS = 3;
/** Blocks read again every turn, so that what a short reorganisation brought in is not lost. */
const READ_AGAIN = 16;
/** Where the very first run begins: about a quarter of an hour of blocks behind the head. */
const FIRST_BLOCKS = 600;
/** A shorter time between a range's start and the first block is that of a block. */
const MISSING_MS = 60_000;
/** The first exchange was deployed here (reference/polymarket.md §8.1). */
const EXCHANGE_V1_BLOCK = 33_605_403;

/**
 * Every filled order from the logs of Polygon: maker and taker legs with their own hashes, seconds after the block.
 * The cursor holds the last block done and its time.
 */
export const polymarketTradesChainStream = definePull({
  name: "polymarket-trades-chain",
  title: "Polymarket's fills from Polygon",
  venue: "polymarket",
  host: polygonHost,
  tables: [polymarketFills],
  everySeconds: 2,
  canBackfill: true,
  needs: {
    settings: ["POLYGON_RPC_URL"],
    adds: "every fill within seconds of its block, with order hashes, exact amounts and fees, and history from 2022 where the node keeps it",
  },
  pull: (options) => (options.range === undefined ? follow(options) : backfill(options, options.range)),
});

async function* follow(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const { feed, cursor } = options;
  const head = Math.max(0, (await feed.rpc("eth_blockNumber", [], quantityWire)) - CONFIRMATIONS);
  const done = cursor?.["block"];
  if (cursor === undefined || typeof done !== "number") {
    const from = await firstOf(options, head);
    const since = isoSeconds((await readBlock(feed, from)).timestamp);
    for await (const batch of walkBlocks(options, from, head, since)) yield { ...batch, since };
    return;
  }
  // A node that lags behind the one asked last time has nothing new to say.
  if (head <= done) yield { rows: [], cursor, isCaughtUp: true };
  else yield* walkBlocks(options, Math.max(0, done + 1 - READ_AGAIN), head, String(cursor["at"]));
}

/** The block a first run begins at: some way behind the head, or the first one there is. */
async function firstOf({ feed }: PullOptions, head: number): Promise<number> {
  return findBlock(feed, 0, Math.max(0, head - FIRST_BLOCKS), head);
}

async function* backfill(
  options: PullOptions,
  range: { readonly from: string; readonly to: string },
): AsyncGenerator<Batch, void, void> {
  const { feed, cursor } = options;
  const head = Math.max(0, (await feed.rpc("eth_blockNumber", [], quantityWire)) - CONFIRMATIONS);
  const lowest = head > EXCHANGE_V1_BLOCK ? EXCHANGE_V1_BLOCK : 0;
  const first = await findBlock(feed, Math.floor(Date.parse(range.from) / 1000), lowest, head);
  const beyond = await findBlock(feed, Math.floor(Date.parse(range.to) / 1000) + 1, first, head);
  const done = cursor?.["block"];
  const from = typeof done === "number" ? Math.max(first, done + 1) : first;
  const isWithin = beyond <= head;
  const gap = await missingBefore(feed, first, lowest, range.from);
  if (gap !== undefined) yield { rows: [], cursor: cursor ?? { block: first - 1 }, gap };
  for await (const batch of walkBlocks(options, from, beyond - 1, range.from)) {
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
