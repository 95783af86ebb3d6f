import { expect, test } from "vitest";
import type { Clock } from "../../src/ingest/clock.ts";
import { createExpedite } from "../../src/ingest/expedite.ts";

const { signal } = new AbortController();

/** A clock whose sleeps end only when aborted, with the lengths of the sleeps requested. */
function restingClock() {
  const rests: number[] = [];
  const clock: Clock = {
    now: () => 1000,
    monotonicMs: () => 0,
    sleep: (ms, until) => {
      rests.push(ms);
      return new Promise((_resolve, reject) => until?.addEventListener("abort", () => reject(new Error("woken"))));
    },
  };
  return { clock, rests };
}

test("expediting ends a rest, and later rests are short until the waiting rows are derived", async () => {
  const { clock, rests } = restingClock();
  let waiting = 1000;
  const { expedite, isOver, rest } = createExpedite(clock, 2, (upTo) => waiting <= upTo);
  expect(isOver()).toBe(false);
  const resting = rest(60, signal);
  expedite();
  await expect(resting).rejects.toThrow("woken");
  void rest(60, signal);
  expect(isOver()).toBe(false);
  void rest(1, signal);
  waiting = 1001;
  expect([isOver(), isOver()]).toEqual([true, false]);
  void rest(60, signal);
  expect(rests).toEqual([60, 2, 1, 60]);
});

test("stops expediting after a while if the waiting rows are never derived", () => {
  const { clock, rests } = restingClock();
  const { expedite, rest } = createExpedite(clock, 2, () => true);
  expedite();
  for (let cycle = 0; cycle < 100; cycle += 1) void rest(60, signal);
  expect(rests.lastIndexOf(2)).toBe(59);
});

test("rejects an aborted rest", async () => {
  const over = new AbortController();
  const { rest } = createExpedite(restingClock().clock, 2, () => false);
  const resting = rest(60, over.signal);
  over.abort();
  await expect(resting).rejects.toThrow("woken");
});
