import { expect, test } from "vitest";
import { type ClockStep, createClockSteps } from "../../src/ingest/socket/clock-steps.ts";
import { manualClock } from "./manual-clock.ts";

const T0 = Date.UTC(2026, 10, 20);

function open(uptimeMs?: () => number) {
  const clock = { ...manualClock(T0), ...(uptimeMs && { uptimeMs }) };
  const steps = createClockSteps(clock, clock.now);
  const received: ClockStep[] = [];
  const forget = steps.onStep((step) => received.push(step));
  return { clock, steps, received, forget };
}

test("a clock set forward is a step since the last reading; one set back is a step from now on", async () => {
  const { clock, steps, received, forget } = open();
  await clock.advance(1000);
  steps.venueNow();
  await clock.advance(2000);
  clock.set(60_000);
  expect(steps.venueNow()).toBe(T0 + 63_000);
  clock.set(-60_000);
  steps.venueNow();
  steps.venueNow();
  expect(received).toEqual([
    { from: T0 + 1000, byMs: 60_000, setMs: 60_000 },
    { from: T0 + 3000, byMs: -60_000, setMs: -60_000 },
  ]);
  forget();
  clock.set(60_000);
  steps.venueNow();
  expect(received).toHaveLength(2);
});

test("neither passing time nor clock drift counts as a step", async () => {
  const { clock, steps, received } = open();
  await clock.advance(3_600_000);
  for (let count = 0; count < 100; count += 1) {
    clock.set(100);
    steps.venueNow();
  }
  expect(received).toEqual([]);
});

test("a clock ahead only because the machine slept was not set; a step beyond the sleep was", () => {
  // Operating systems report uptime in whole seconds.
  let uptimeMs = 1000;
  const { clock, steps, received } = open(() => uptimeMs);
  clock.set(60_400);
  uptimeMs += 61_000;
  steps.venueNow();
  clock.set(25_000);
  uptimeMs += 20_000;
  steps.venueNow();
  clock.set(5000);
  steps.venueNow();
  expect(received.map(({ byMs, setMs }) => [byMs, setMs])).toEqual([
    [60_400, 0],
    [25_000, 5000],
    [5000, 5000],
  ]);
});
