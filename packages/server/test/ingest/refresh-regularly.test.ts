import { afterAll, beforeAll, expect, test } from "vitest";
import { defineRefresh } from "../../src/definition/regular-jobs.ts";
import { refreshRegularly } from "../../src/ingest/refresh/refresh-regularly.ts";
import { marketSnapshots } from "../../src/tables/market-snapshots.ts";
import { manualClock } from "./manual-clock.ts";
import { openEngines } from "./open-engines.ts";

/** The clock of the paper venues runs in another year, and faster. */
const VENUE_AHEAD = 400 * 86_400_000;

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(() => engines.close());

/** The arguments of the first `count` cycles of a process; `between` is called after each. */
async function turnsOf(clock: ReturnType<typeof manualClock>, count: number, between: () => void = () => undefined) {
  const cycles: { now: number; at: number; since: number | undefined }[] = [];
  const refresh = defineRefresh({
    name: "figures",
    title: "Figures",
    from: [],
    into: marketSnapshots,
    everySeconds: 10,
    wholeEverySeconds: 3600,
    refresh: async (_store, { now, since }) => {
      cycles.push({ now, at: clock.now(), since });
      between();
      return 0;
    },
  });
  const stop = new AbortController();
  const venueNow = () => clock.now() + VENUE_AHEAD;
  const running = refreshRegularly({ ...engines, refreshes: [refresh], clock, venueNow, signal: stop.signal });
  await expect
    .poll(
      async () => {
        await clock.advance(1000);
        return cycles.length;
      },
      { interval: 20 },
    )
    .toBeGreaterThanOrEqual(count);
  stop.abort();
  await running;
  return cycles;
}

test("a cycle covers rows stored since the last one by this machine's clock, also after a restart", async () => {
  const clock = manualClock();
  const first = await turnsOf(clock, 2);
  const second = await turnsOf(clock, 1);
  const cycles = [...first, ...second];
  expect(cycles.map(({ since }) => since)).toEqual([undefined, ...cycles.slice(0, -1).map(({ at }) => at)]);
  for (const { now, at } of cycles) expect(now).toBe(at + VENUE_AHEAD);
});

test("cycles begin at whole milliseconds, though the clocks drift apart by fractions of them", async () => {
  const [first, second] = await turnsOf(manualClock(undefined, 1.000_001), 2);
  expect(second?.since).toBe(first?.at);
});

test("a cycle after the machine's clock was set back covers the rows stamped since then", async () => {
  const HOUR = 3_600_000;
  const clock = manualClock();
  const [first, second] = await turnsOf(clock, 2, () => clock.set(-HOUR));
  expect(second?.since).toBe((first?.at ?? 0) - HOUR);
});
