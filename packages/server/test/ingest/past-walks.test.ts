import { expect, test } from "vitest";
import { every } from "../../src/ingest/clock.ts";
import { createPastWalks } from "../../src/ingest/past-walks.ts";
import { manualClock } from "./manual-clock.ts";

const HOUR_MS = 3_600_000;

/** Runs cycles an hour apart on a clock that is never advanced; `during` runs within the first. */
async function turnsWith(walks: ReturnType<typeof createPastWalks>, during: () => void) {
  const stop = new AbortController();
  let cycles = 0;
  const failed = { log: { error: () => undefined }, message: "failed" };
  const pace = { clock: walks.wake(manualClock()), signal: stop.signal, everyMs: HOUR_MS, firstMs: 0, failed };
  const running = every(pace, async () => {
    cycles += 1;
    if (cycles === 1) during();
  });
  const end = (): Promise<void> => (stop.abort(new Error("enough")), running);
  return { cycles: () => cycles, end };
}

test("a resting task runs as soon as the last walk ends, and then rests again", async () => {
  const walks = createPastWalks();
  const { cycles, end } = await turnsWith(walks, () => undefined);
  const [one, other] = [walks.begin(), walks.begin()];
  await expect.poll(cycles).toBe(1);
  one();
  await new Promise((resolve) => setImmediate(resolve));
  expect(cycles()).toBe(1);
  other();
  await expect.poll(cycles).toBe(2);
  walks.begin()();
  await expect.poll(cycles).toBe(3);
  await end();
});

test("a walk that ends during a cycle triggers another cycle", async () => {
  const walks = createPastWalks();
  const { cycles, end } = await turnsWith(walks, walks.begin());
  await expect.poll(cycles).toBe(2);
  await end();
});
