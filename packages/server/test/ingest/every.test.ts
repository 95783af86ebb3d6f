import { pino } from "pino";
import { expect, test } from "vitest";
import { every } from "../../src/ingest/clock.ts";
import { manualClock } from "./manual-clock.ts";

const HOUR_MS = 3_600_000;
const failed = { log: pino({ level: "silent" }), message: "a turn failed" };

/** Start times of the first cycles in ms since the beginning, if each runs `cycle`. */
async function turnsOf(cycle: (clock: ReturnType<typeof manualClock>) => Promise<void> | void): Promise<number[]> {
  const clock = manualClock();
  const began = clock.monotonicMs();
  const stop = new AbortController();
  const cycles: number[] = [];
  const running = every({ clock, signal: stop.signal, everyMs: 1000, firstMs: 0, failed }, async () => {
    cycles.push(clock.monotonicMs() - began);
    await cycle(clock);
  });
  for (let second = 0; second < 12; second += 1) await clock.advance(1000);
  stop.abort();
  await running;
  return cycles;
}

test("rests four times as long as a cycle took", async () => {
  expect(await turnsOf((clock) => clock.sleep(1000))).toEqual([0, 5000, 10_000]);
});

test.for([HOUR_MS, -HOUR_MS])("setting the machine's clock by %i ms during cycles changes nothing", async (ms) => {
  expect(await turnsOf((clock) => clock.set(ms))).toEqual(Array.from({ length: 13 }, (_, second) => second * 1000));
});
