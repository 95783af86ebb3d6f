import type { PullConnector, Batch, PullOptions, Feed } from "../../../definition/connector.ts";
import type { ChainStream } from "./read-range.ts";
import { isoSeconds } from "../exact/values.ts";
import { dropUnconfirmed, dropUnconfirmedIn } from "./drop-unconfirmed.ts";
import { readPlace, writePlace, type ChainPlace, isMarked } from "./chain-place.ts";
import { findBlock, readBlock, findHeader } from "./read-blocks.ts";
import { walkBlocks } from "./walk-blocks.ts";
import { type ChainBlock, quantityWire } from "./logs.ts";

const AT_ONCE = 20;

/**
 * Detects a reorganisation since `place`: "same" if there is none or the node lags behind; else the newest common
 * block, or "unknown" if no mark matches.
 */
async function findFork(feed: Feed, { marks }: ChainPlace, head: number): Promise<"same" | "unknown" | ChainBlock> {
  const newest = marks.filter(({ number }) => number <= head).toReversed();
  for (let place = 0; place < newest.length; place += place === 0 ? 1 : AT_ONCE) {
    const some = newest.slice(place, place + (place === 0 ? 1 : AT_ONCE));
    const headers = await Promise.all(some.map(({ number }) => findHeader(feed, number)));
    // A missing header comes from a lagging node and proves nothing about the block.
    if (headers[0] === undefined && place === 0) return "same";
    const found = headers.find((header, index) => header && some[index] && isMarked(some[index], header.hash));
    if (found !== undefined) return place === 0 ? "same" : found;
  }
  return newest.length === 0 ? "same" : "unknown";
}

/** After a reorganisation without a common block, this much before the oldest known block may be affected, too. */
const UNKNOWN_MS = 86_400_000;

type Returned = {
  readonly place: ChainPlace;
  /** Stored before anything is read, so that an interrupted walk resumes here, whatever the chain does meanwhile. */
  readonly batch?: Batch;
};

/** Goes back to the newest block that is still on the chain; unchanged without a reorganisation. */
async function returnToFork(feed: Feed, place: ChainPlace, head: number): Promise<Returned> {
  const fork = await findFork(feed, place, head);
  if (fork === "same") return { place };
  const stored = Math.max(place.block, place.stored ?? 0);
  if (fork !== "unknown") {
    const marks = place.marks.filter(({ number }) => number <= fork.number);
    const back = { block: fork.number, at: isoSeconds(fork.timestamp), marks, stored };
    return goBack(place, back);
  }
  const oldest = Math.min(head, place.marks[0]?.number ?? place.block);
  const at = isoSeconds((await readBlock(feed, Math.max(0, oldest - 1))).timestamp);
  const from = isoSeconds(Math.floor((Date.parse(at) - UNKNOWN_MS) / 1000));
  const reason = `the chain differs from the one read before, from before block ${oldest} on`;
  return goBack(place, { block: oldest - 1, at, marks: [], stored }, { gap: { from, to: at, reason } });
}

function goBack(from: ChainPlace, to: ChainPlace & { at: string }, gap: Pick<Batch, "gap"> = {}): Returned {
  const text = `Polygon was reorganised: ${from.block - to.block} blocks are read again`;
  const notices = [{ kind: "upstream_note" as const, text, count: 1 }];
  return { place: to, batch: { rows: [], cursor: writePlace(to), reached: to.at, ...gap, notices } };
}

/** Blocks deeper than this below the head are final. */
const SETTLED = 600;
/** Each round reads blocks again that were replaced during the previous one. */
const MAX_ROUNDS = 8;
/** A shorter time between a range's start and the first block is normal block spacing. */
const MISSING_MS = 60_000;

/**
 * The blocks of a time range, as far as the node has them; the rest is recorded as a gap. Near the head it ends only
 * once no block it read has been replaced.
 */
async function* backfillChain(
  stream: ChainStream,
  options: PullOptions,
  range: { readonly from: string; readonly to: string },
): AsyncGenerator<Batch, void, void> {
  const { feed, cursor, signal } = options;
  const head = await readHead(feed);
  const lowest = head > stream.firstBlock ? stream.firstBlock : 0;
  const [first, beyond] = await Promise.all([
    findBlock(feed, Math.floor(Date.parse(range.from) / 1000), lowest, head),
    findBlock(feed, Math.floor(Date.parse(range.to) / 1000) + 1, lowest, head),
  ]);
  const gap = await missingBefore(feed, first, lowest, range.from);
  const start: ChainPlace = { block: first - 1, at: range.from, marks: [] };
  if (gap !== undefined) yield { rows: [], cursor: cursor ?? writePlace(start), gap };
  const saved = readPlace(cursor);
  let place = saved === undefined || saved.block < first - 1 ? start : saved;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
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
  // If the range extends beyond the head, only the part read is complete.
  const until = beyond <= head ? range.to : isoSeconds((await readBlock(feed, head)).timestamp);
  yield* dropUnconfirmedIn(stream, options, place, range);
  yield { rows: [], cursor: writePlace(place), since: range.from, reached: until, isCaughtUp: true, isCanonical: true };
}

/** The gap before the first block a node has, if the range begins earlier. */
async function missingBefore(feed: Feed, first: number, lowest: number, from: string): Promise<Batch["gap"]> {
  if (first <= lowest) return undefined;
  if ((await findHeader(feed, first - 1)) !== undefined) return undefined;
  const to = isoSeconds((await readBlock(feed, first)).timestamp);
  const missesMs = Date.parse(to) - Date.parse(from);
  return missesMs > MISSING_MS ? { from, to, reason: `the node has no blocks before ${first}` } : undefined;
}

/** Start of the very first run: about a quarter of an hour of blocks behind the head. */
const FIRST_BLOCKS = 600;

/**
 * Continues from the cursor to the head; a very first run begins about a quarter of an hour behind it. Each cycle first
 * checks for a reorganisation and goes back to the fork if there was one.
 */
async function* followChain(stream: ChainStream, options: PullOptions): AsyncGenerator<Batch, void, void> {
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
  const returned = await returnToFork(feed, saved, head);
  if (returned.batch !== undefined) yield returned.batch;
  const { place, batch } = await dropUnconfirmed(stream, options, returned.place);
  if (batch !== undefined) yield batch;
  // A node that lags behind the previous one has nothing new.
  if (head <= place.block) yield { rows: [], cursor: writePlace(place), isCaughtUp: true };
  else yield* walkBlocks(stream, options, { place, to: head, head, exactFrom: 0 });
}

/** The `pull` of a connector over Polygon's logs: follows the head, or walks a backfill's range. */
export function pullChain(stream: ChainStream): PullConnector["pull"] {
  return (options) =>
    options.range === undefined ? followChain(stream, options) : backfillChain(stream, options, options.range);
}

/** The newest block of the node that answers. */
async function readHead(feed: Feed): Promise<number> {
  return feed.rpc("eth_blockNumber", [], quantityWire);
}
