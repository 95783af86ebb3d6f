import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { TableRows } from "../../packages/server/src/definition/connector.ts";
import type { BookFeed } from "./book-feed.ts";
import { countOf, decoding } from "./decode-frames.ts";

/** Few, so that most runs see no collection of garbage. */
const HEAP_RUN = 20;
const KEPT_FRAMES = 5_000;

/** Bytes of new objects a frame, over runs in which no garbage was collected. */
export function allocatedBytes(feed: BookFeed): number {
  const session = decoding(feed);
  const bytes: number[] = [];
  for (let at = 0; at + HEAP_RUN <= feed.frames.length; at += HEAP_RUN) {
    const run = feed.frames.slice(at, at + HEAP_RUN);
    const before = getHeapStatistics().used_heap_size;
    session.decode(run);
    const more = getHeapStatistics().used_heap_size - before;
    if (more > 0) bytes.push(more / HEAP_RUN);
  }
  return bytes.reduce((sum, one) => sum + one, 0) / bytes.length;
}

/** What rows hold until they are stored, a row, and what the session's books hold together. */
export function keptBytes(feed: BookFeed): { readonly waiting: number; readonly books: number } {
  const held: Held = { session: undefined, rows: undefined };
  const empty = collectedHeap();
  const rows = decodeInto(held, feed);
  const both = collectedHeap();
  held.rows = undefined;
  const books = collectedHeap();
  // Alive until here.
  held.session = undefined;
  return { waiting: (both - books) / rows, books: books - empty };
}

type Held = { session: ReturnType<typeof decoding> | undefined; rows: readonly TableRows[] | undefined };

/** By itself, so that no variable of the caller holds the rows. */
function decodeInto(held: Held, feed: BookFeed): number {
  held.session = decoding(feed);
  held.rows = held.session.decode(feed.frames.slice(0, KEPT_FRAMES)).rows;
  return countOf(held.rows, true) + countOf(held.rows, false);
}

function collectedHeap(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // What was weakly held goes with the second.
  collect();
  collect();
  return getHeapStatistics().used_heap_size;
}
