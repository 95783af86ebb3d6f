import { createRowBuffer } from "../../packages/server/src/ingest/socket/row-buffer.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import type { BookFeed } from "./book-feed.ts";
import { countOf, decoding, microseconds } from "./decode-frames.ts";
import { engineEvents } from "./engine-events.ts";
import { allocatedBytes, keptBytes } from "./frame-heap.ts";

const SLICE = 250;

export type FrameCost = {
  readonly venue: BookFeed["venue"];
  readonly source: string;
  readonly frames: number;
  readonly chars_a_frame: number;
  /** Rows of book_events: changes and whole books. */
  readonly changes: number;
  /** Rows of other tables: prints, tokens. */
  readonly others: number;
  /** Times that a book could not be trusted any more. */
  readonly broken: number;
  /** CPU of the service. */
  readonly decode_us_a_frame: number;
  readonly decode_us_a_change: number;
  readonly insert_us_a_change: number;
  readonly engine_us_a_change: number;
  /** New objects while a frame is decoded; most are garbage at once. */
  readonly heap_bytes_a_frame: number;
  readonly heap_bytes_a_change: number;
  /** Of rows that wait to be stored. */
  readonly waiting_bytes_a_change: number;
  /** Held by the session. */
  readonly heap_bytes_a_book: number;
};

/** What a socket's frames cost: decoded by the connector's session, gathered, stored in batches as the service does. */
export async function frameCost(store: OpenStore, feed: BookFeed, batch: number): Promise<FrameCost> {
  const { frames, instruments } = feed;
  await warmUp(store, feed);
  const allocated = allocatedBytes(feed);
  const { waiting, books } = keptBytes(feed);
  const engineBefore = await engineEvents(store);
  const { decodeUs, insertUs, changes, others, broken } = await decodeAndStore(store, feed, batch);
  const engineUs = (await engineEvents(store)).cpu_us - engineBefore.cpu_us;
  if (changes === 0) throw new Error(`${feed.venue}, ${feed.source}: no frame tells of a book`);
  const aChange = (value: number): number => tenth(value / changes);
  return {
    venue: feed.venue,
    source: feed.source,
    frames: frames.length,
    chars_a_frame: Math.round(frames.reduce((sum, { text }) => sum + text.length, 0) / frames.length),
    changes,
    others,
    broken,
    decode_us_a_frame: tenth(decodeUs / frames.length),
    decode_us_a_change: aChange(decodeUs),
    insert_us_a_change: aChange(insertUs),
    engine_us_a_change: aChange(engineUs),
    heap_bytes_a_frame: Math.round(allocated),
    heap_bytes_a_change: Math.round((allocated * frames.length) / changes),
    waiting_bytes_a_change: Math.round(waiting),
    heap_bytes_a_book: Math.round(books / instruments.length),
  };
}

/** For the compiler and the engine's staging tables. By itself, so that nothing of it is on the heap that is measured. */
async function warmUp(store: OpenStore, feed: BookFeed): Promise<void> {
  const { rows: parts } = decoding(feed).decode(feed.frames);
  for (const { table, rows, mode } of parts.slice(0, 1)) await store.insert(table, rows, mode);
}

type Used = { decodeUs: number; insertUs: number; changes: number; others: number; broken: number };

/** Slices of frames as a socket's pipeline takes them; rows gathered by table to batches. */
async function decodeAndStore(store: OpenStore, feed: BookFeed, batch: number): Promise<Used> {
  const used = { decodeUs: 0, insertUs: 0, changes: 0, others: 0, broken: 0 };
  const session = decoding(feed);
  const buffer = createRowBuffer();
  for (let at = 0; at < feed.frames.length; at += SLICE) {
    const { us, rows, broken } = session.decode(feed.frames.slice(at, at + SLICE));
    used.decodeUs += us;
    used.broken += broken;
    used.changes += countOf(rows, true);
    used.others += countOf(rows, false);
    buffer.add(rows);
    if (buffer.count() < batch && at + SLICE < feed.frames.length) continue;
    const began = process.cpuUsage();
    for (const { table, rows: gathered, mode } of buffer.takeAll()) await store.insert(table, gathered, mode);
    used.insertUs += microseconds(began);
  }
  return used;
}

const tenth = (value: number): number => Math.round(value * 10) / 10;
