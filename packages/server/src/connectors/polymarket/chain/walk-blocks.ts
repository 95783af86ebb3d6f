import type { Batch, PullOptions, Feed } from "../../../definition/connector.ts";
import type { BlockScope } from "../../../definition/spans.ts";
import { isoSeconds } from "../exact/values.ts";
import { addMarks, markOf, type ChainPlace, writePlace } from "./chain-place.ts";
import {
  type ChainRows,
  type ChainStream,
  logsBetween,
  isWrongShape,
  type ReadRange,
  readRange,
  readTail,
} from "./read-range.ts";
import { readBlock, readBlocks } from "./read-blocks.ts";
import { z } from "zod";

const FIRST_WIDTH = 200;
/** This many of the newest blocks are read by their hashes, in one batch: reorganisations are not deeper. */
const TAIL = 64;
/** In ranges this near the head, whose blocks may still be replaced, one block per MARK_EVERY is marked. */
const MARKED = 4096;
const MARK_EVERY = 32;
/** A single block refused this far behind the head has been pruned by the node. */
const PRUNED_BEHIND = 1000;

export type ChainWalk = {
  /** Everything up to here has been read. */
  readonly place: ChainPlace;
  readonly to: number;
  /** The newest block of the chain. */
  readonly head: number;
  /** From this block on, rows of replaced blocks are removed; older blocks are beyond any reorganisation. */
  readonly exactFrom: number;
};

/**
 * The blocks after `place` up to `to`, one range per batch; the last batch is caught up. If the node has pruned the
 * history, the walk continues at the first block available and records a gap. Ends early, without a batch, if the chain
 * is reorganised meanwhile. Returns its progress.
 */
export async function* walkBlocks(
  stream: ChainStream,
  { feed, signal }: PullOptions,
  { place: start, to, head, exactFrom }: ChainWalk,
): AsyncGenerator<Batch, ChainPlace, void> {
  let place = start;
  let width = FIRST_WIDTH;
  while (place.block < to && !signal.aborted) {
    const next = place.block + 1;
    const far = Math.min(to, head - TAIL);
    if (next > far) {
      const parent = place.marks.find(({ number }) => number === place.block);
      const tail = await readTail(feed, stream, [next, to], parent);
      if (tail === undefined) return place;
      const isLast = { isCaughtUp: true, isCanonical: true };
      const whole = scopeOf(place, tail, Math.max(tail.to, place.stored ?? 0));
      yield { ...toBatch(stream, (place = passed(place, tail, true)), tail.reported, whole), ...isLast };
      return place;
    }
    const range = await readRange(feed, stream, [next, far], { width, settled: exactFrom }).catch((error: unknown) => {
      if (isWrongShape(error) || signal.aborted || far - next < PRUNED_BEHIND) throw error;
      return error;
    });
    if (!isRange(range)) {
      const readable = await firstReadable(feed, stream, next, far);
      if (readable === undefined || readable === next) throw range;
      const at = isoSeconds((await readBlock(feed, readable)).timestamp);
      const reason = `the node has no logs of blocks ${next} to ${readable - 1}`;
      const gap = { from: place.at ?? at, to: at, reason };
      place = { ...place, block: readable - 1, at };
      yield { rows: [], cursor: writePlace(place), gap };
      continue;
    }
    width = range.width;
    const isLast = range.to === to;
    const scope = range.to < exactFrom ? undefined : scopeOf(place, range, range.to);
    const marked =
      range.to < Math.max(head - MARKED, exactFrom) ? [] : await readBlocks(feed, everyNth(next, range.to));
    place = passed(place, { ...range, blocks: [...marked.values(), range.last] }, false);
    const batch = toBatch(stream, place, range.reported, scope);
    yield isLast ? { ...batch, isCaughtUp: true, isCanonical: true } : batch;
  }
  return place;
}

/** Some of a range's blocks before its last, whose hashes locate a deep fork. */
function everyNth(from: number, to: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / MARK_EVERY) }, (_, index) => from + index * MARK_EVERY);
}

type Read = Omit<ReadRange, "width">;

function passed(place: ChainPlace, { to, last, blocks }: Read, isTail: boolean): ChainPlace {
  const marks = addMarks(place.marks, blocks.map(markOf));
  const { stored = 0, confirmed } = place;
  return {
    block: to,
    at: isoSeconds(last.timestamp),
    marks,
    ...(stored > to && !isTail ? { stored } : {}),
    ...(confirmed === undefined ? {} : { confirmed }),
  };
}

function scopeOf(place: ChainPlace, { last, blocks, except }: Read, to: number): BlockScope | undefined {
  if (except === undefined) return undefined;
  const until = isoSeconds(last.timestamp);
  const since = place.at ?? isoSeconds(blocks[0]?.timestamp ?? last.timestamp);
  return { from: place.block + 1, to, since, until, ...(except.length > 0 ? { except } : {}) };
}

/** One entry per table, even without rows: its stored rows of these blocks may have to be removed. */
function toBatch(
  stream: ChainStream,
  place: ChainPlace,
  { rows, ...notices }: ChainRows,
  allOf: BlockScope | undefined,
): Batch {
  const whole = stream.tables.map((table) => ({
    table,
    rows: rows.filter((each) => each.table === table).flatMap((each) => each.rows),
    ...(allOf === undefined ? {} : { allOf }),
  }));
  return {
    rows: whole,
    ...notices,
    cursor: writePlace(place),
    ...(place.at === undefined ? {} : { reached: place.at }),
  };
}

function isRange(value: unknown): value is ReadRange {
  return typeof value === "object" && value !== null && "reported" in value && "width" in value;
}

/**
 * The first block from `from` to `head` whose logs the node still has, if it has those of the head but not those of
 * `from` ("History has been pruned"); undefined if it has none, which is a different fault.
 */
async function firstReadable(feed: Feed, stream: ChainStream, from: number, head: number): Promise<number | undefined> {
  if (!(await isReadable(feed, logsBetween(stream, head, head)))) return undefined;
  let low = from;
  let high = head;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isReadable(feed, logsBetween(stream, middle, middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}

async function isReadable(feed: Feed, filter: Record<string, unknown>): Promise<boolean> {
  try {
    await feed.rpc("eth_getLogs", [filter], z.array(z.unknown()));
    return true;
  } catch {
    return false;
  }
}
