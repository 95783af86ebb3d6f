import { describe, expect, test } from "vitest";
import type { Decoded, Session } from "../../src/definition/session.ts";
import { startPipeline, type RowSpan } from "../../src/ingest/socket/pipeline.ts";
import { bookEvents } from "../../src/tables/book-events.ts";
import { manualClock } from "./manual-clock.ts";

const T0 = Date.UTC(2026, 10, 20);
const row = (ms: number, kind?: "snapshot") => [
  { table: bookEvents, rows: [{ ts: new Date(ms).toISOString(), ...(kind ? { kind } : {}) }] },
];

/** Frames are JSON of the session's decoded result. */
const session: Session = {
  subscribe: () => [],
  unsubscribe: () => [],
  decode: (frame) => {
    const { ms, ...decoded } = JSON.parse(frame) as Decoded & { ms?: number };
    return { ...decoded, rows: ms === undefined ? [] : row(ms) };
  },
  adopt: ({ state }) => ({ rows: row(Number(state), "snapshot") }),
};

function open() {
  const clock = manualClock(T0);
  const reported = {
    broken: [] as number[],
    restored: [] as string[][],
    spans: [] as RowSpan[],
    ahead: [] as [number, number][],
    unread: [] as number[],
    hold: Promise.resolve(),
  };
  let arrived: number | undefined;
  const pipeline = startPipeline({
    session,
    clock,
    venueNow: clock.now,
    bounds: { maxFrames: 100, maxChars: 10_000 },
    store: async (_rows, span) => {
      reported.spans.push(span);
      await reported.hold;
    },
    onBroken: (_broken, from) => reported.broken.push(from),
    onRestored: (instruments) => () => reported.restored.push([...instruments]),
    onSend: () => undefined,
    onAnnounced: () => undefined,
    onUnreadable: (_arrival, _error, from) => void reported.unread.push(from),
    onWrong: ({ is, timestamp }, from) => void (is === "ahead" && reported.ahead.push([timestamp, from])),
    lead: { usualMs: 3000 },
    arrivedThrough: () => arrived,
  });
  /** The venue answers a ping sent now. */
  const echo = (): void => {
    arrived = clock.now();
  };
  const frame = (value: object) =>
    pipeline.offer({ kind: "frame", text: JSON.stringify(value), receivedMs: clock.now() });
  const unreadable = () => pipeline.offer({ kind: "frame", text: "{", receivedMs: clock.now() });
  const state = (ms: number) =>
    pipeline.offer({ kind: "state", state: { instrument: "A", state: ms }, receivedMs: clock.now() });
  return { clock, reported, pipeline, frame, state, unreadable, echo };
}

describe("gaps of a socket, in row timestamps", () => {
  test("a gap begins at the frame before the one that revealed it, less the latency of rows", async () => {
    const { clock, reported, pipeline, frame } = open();
    frame({ ms: T0 - 300 });
    await clock.advance(5000);
    frame({ ms: T0 + 4800, broken: [{ instrument: "A", reason: "a number is missing" }] });
    await clock.advance(1000);
    expect(reported.broken).toEqual([T0 - 300]);
    await pipeline.drain();
  });

  test("progress ends before rows that may still arrive, and never passes rows that are not stored", async () => {
    const { clock, reported, pipeline, frame, echo } = open();
    frame({ ms: T0 - 700 });
    await clock.advance(1000);
    echo();
    expect(pipeline.storedThrough()).toBe(T0 + 1000 - 700);
    const { promise, resolve: release } = Promise.withResolvers<void>();
    reported.hold = promise;
    frame({ ms: T0 + 900 });
    await clock.advance(60_000);
    echo();
    expect(pipeline.storedThrough()).toBe(T0 - 700);
    release();
    await clock.advance(1000);
    echo();
    expect(pipeline.storedThrough()).toBe(T0 + 62_000 - 700);
    // The span passed to the store bounds the timestamps of its rows.
    expect(reported.spans.at(-1)).toEqual({ from: T0 + 300, to: T0 + 1000 });
    await pipeline.drain();
  });

  test("silence proves nothing until the venue has answered, as frames may be in flight", async () => {
    const { clock, pipeline, frame, echo } = open();
    frame({ ms: T0 - 300 });
    await clock.advance(20_000);
    expect(pipeline.storedThrough()).toBe(T0 - 300);
    echo();
    await clock.advance(5000);
    expect(pipeline.storedThrough()).toBe(T0 + 20_000 - 300);
    await pipeline.drain();
  });

  test("a venue's clock that is ahead moves the end of a gap, and old states do not", async () => {
    const { clock, pipeline, frame, echo } = open();
    frame({ ms: T0 + 4000 });
    frame({ ms: T0 - 86_400_000 });
    await clock.advance(1000);
    echo();
    expect(pipeline.latestNow()).toBe(T0 + 1000 + 4000);
    expect(pipeline.storedThrough()).toBe(T0 + 1000);
    await pipeline.drain();
  });

  test("reports rows further ahead than usual with the timestamp of the previous frame, and moves no end", async () => {
    const { clock, reported, pipeline, frame } = open();
    frame({ ms: T0 });
    await clock.advance(1000);
    frame({ ms: T0 + 61_000 });
    await clock.advance(1000);
    expect(reported.ahead).toEqual([[T0 + 61_000, T0]]);
    expect(pipeline.latestNow()).toBe(T0 + 2000);
    await pipeline.drain();
  });

  test("the gap of an unreadable frame begins where everything sent had arrived, however late frames are", async () => {
    const { clock, reported, pipeline, frame, state, unreadable, echo } = open();
    frame({ ms: T0 });
    await clock.advance(1000);
    echo();
    frame({});
    await clock.advance(12_000);
    // Frames sent in these seconds arrive at once, after a fetched state.
    state(T0 + 4000);
    unreadable();
    unreadable();
    echo();
    frame({});
    await clock.advance(1000);
    unreadable();
    await clock.advance(1000);
    expect(reported.unread).toEqual([T0 + 1000, T0 + 1000, T0 + 13_000]);
    await pipeline.drain();
  });

  test("proves no more than the last ping by a late frame without changes", async () => {
    const { clock, pipeline, frame, state, echo } = open();
    frame({ ms: T0 });
    await clock.advance(1000);
    echo();
    await clock.advance(12_000);
    // Sent twelve seconds ago, as were changes after it that never arrive.
    frame({});
    state(T0 + 4000);
    await clock.advance(1000);
    expect(pipeline.lastStored()).toBe(T0 + 1000);
    frame({ ms: T0 + 14_000 });
    await clock.advance(1000);
    expect(pipeline.lastStored()).toBe(T0 + 14_000);
    await pipeline.drain();
  });

  test("reports a fetched state stamped ahead too, and ignores an old one", async () => {
    const { clock, reported, pipeline, frame, state, echo } = open();
    frame({ ms: T0 });
    await clock.advance(1000);
    echo();
    state(T0 - 86_400_000);
    state(T0 + 30_000);
    await clock.advance(1000);
    expect(reported.ahead).toEqual([[T0 + 30_000, T0 + 1000]]);
    expect(pipeline.latestNow()).toBe(T0 + 2000);
    await pipeline.drain();
  });

  test("reports restored instruments only once their state is stored", async () => {
    const { clock, reported, pipeline, frame } = open();
    const { promise, resolve: release } = Promise.withResolvers<void>();
    reported.hold = promise;
    frame({ ms: T0, restored: ["A"] });
    await clock.advance(5000);
    expect(reported.restored).toEqual([]);
    release();
    await clock.advance(1000);
    expect(reported.restored).toEqual([["A"]]);
    await pipeline.drain();
  });
});
