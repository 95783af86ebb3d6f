import { expect, test } from "vitest";
import { polymarketTradesChainStream } from "../../src/connectors/polymarket/trades-chain.ts";
import { polymarketTradesCheckStream } from "../../src/connectors/polymarket/trades-check.ts";
import { createWakes, createWaking } from "../../src/ingest/waking.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { manualClock } from "./manual-clock.ts";

const PERIOD_MS = 2000;

/** The time of a row: those named "old" are from before the service started. */
const stamped = (key: string): number => (key.startsWith("old") ? -60_000 : 0);

/** Cycles that take `tookMs` each: their start times, and the rows they will deliver. */
function take(tookMs = 0) {
  const clock = manualClock(0);
  const stop = new AbortController();
  const waking = createWaking({ column: "tx_hash", restSeconds: 0.4, cycles: 3 }, clock);
  const begun: number[] = [];
  const readable = new Set<string>();
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      begun.push(clock.now());
      const rows = [...readable].map((tx_hash) => ({ tx_hash, ts: new Date(stamped(tx_hash)).toISOString() }));
      await clock.sleep(tookMs, stop.signal);
      waking.brought({ rows: [{ table: polymarketFills, rows }] });
      await waking.rest(PERIOD_MS, stop.signal);
    }
  };
  const running = run().catch(() => undefined);
  const end = async (): Promise<void> => {
    stop.abort(new Error("over"));
    await running;
  };
  return { clock, waking, begun, readable, end };
}

test("without notifications, cycles run at their period", async () => {
  const { clock, begun, end } = take();
  await clock.advance(4100);
  expect(begun).toEqual([0, 2000, 4000]);
  await end();
});

test("the first notification ends a rest immediately; rows not yet readable are retried a bounded number of times", async () => {
  const { clock, waking, begun, end } = take();
  await clock.advance(1000);
  waking.receive(["a"]);
  await clock.advance(3900);
  expect(begun).toEqual([0, 1000, 1400, 1800, 3800]);
  // It is no longer waited for, even if notified again.
  waking.receive(["a"]);
  await clock.advance(700);
  expect(begun).toHaveLength(5);
  await end();
});

test("tells when a row was brought that had not been announced", async () => {
  const { clock, waking, readable, end } = take();
  await clock.advance(1000);
  waking.receive(["a"]);
  readable.add("a");
  await clock.advance(3000);
  expect(waking.missedAt()).toBe(Number.NEGATIVE_INFINITY);
  // Nothing could announce what happened while the service was not running.
  readable.add("old");
  await clock.advance(3000);
  expect(waking.missedAt()).toBe(Number.NEGATIVE_INFINITY);
  readable.add("b");
  await clock.advance(6000);
  const missedAt = waking.missedAt();
  expect(missedAt).toBeGreaterThan(7000);
  expect(missedAt).toBeLessThanOrEqual(9000);
  await end();
});

test("after delivery the period is the old one, and a late notification causes no cycle", async () => {
  const { clock, waking, begun, readable, end } = take();
  await clock.advance(1000);
  waking.receive(["a", "b"]);
  await clock.advance(100);
  readable.add("a").add("b");
  await clock.advance(400);
  expect(begun).toEqual([0, 1000, 1400]);
  waking.receive(["b"]);
  await clock.advance(1800);
  expect(begun).toEqual([0, 1000, 1400]);
  await end();
});

test("a storm of notifications causes one cycle in flight and one after it, never below the minimum rest", async () => {
  const { clock, waking, begun, readable, end } = take(300);
  for (let word = 0; word < 700; word += 1) {
    await clock.advance(10);
    waking.receive([`tx ${word}`]);
    readable.add(`tx ${word}`);
  }
  const apart = begun.slice(1).map((at, place) => at - (begun[place] ?? 0));
  expect(Math.min(...apart)).toBeGreaterThanOrEqual(700);
  expect(Math.max(...apart)).toBeLessThanOrEqual(710);
  await end();
});

test("a notification soon after a cycle does not shorten the minimum rest", async () => {
  const { clock, waking, begun, end } = take();
  await clock.advance(100);
  waking.receive(["a"]);
  await clock.advance(250);
  expect(begun).toEqual([0]);
  await clock.advance(100);
  expect(begun).toEqual([0, 400]);
  await end();
});

test("a stop ends a rest and the pause before a retry", async () => {
  const [resting, waiting] = [take(), take()];
  await resting.clock.advance(100);
  await resting.end();
  waiting.waking.receive(["a"]);
  await waiting.clock.advance(100);
  await waiting.end();
  expect([resting.begun, waiting.begun]).toEqual([[0], [0]]);
});

test("wakes the stream named in the definition; a restarted stream takes over its old registration", async () => {
  const wakes = createWakes();
  const clock = manualClock(0);
  const [old, now] = [wakes.open(polymarketTradesChainStream, clock), wakes.open(polymarketTradesChainStream, clock)];
  expect(wakes.open(polymarketTradesCheckStream, clock)).toBeUndefined();
  const rested: string[] = [];
  const signal = new AbortController().signal;
  void old?.rest(PERIOD_MS, signal).then(() => rested.push("old"));
  void now?.rest(PERIOD_MS, signal).then(() => rested.push("now"));
  wakes.receive("another-stream", ["a"]);
  await clock.advance(1000);
  expect(rested).toEqual([]);
  wakes.receive("polymarket-trades-rtds", ["a"]);
  await clock.advance(0);
  expect(rested).toEqual(["now"]);
});

test("setting the machine's clock back by an hour lengthens no rest", async () => {
  const clock = manualClock();
  const waking = createWaking({ column: "tx_hash", restSeconds: 0.4, cycles: 3 }, clock);
  const rested: boolean[] = [];
  void waking.rest(PERIOD_MS, new AbortController().signal).then(() => rested.push(true));
  clock.set(-3_600_000);
  await clock.advance(PERIOD_MS + 400);
  expect(rested).toEqual([true]);
});
