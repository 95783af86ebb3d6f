import { afterAll, beforeAll, expect, test } from "vitest";
import type { DaysDerivation } from "../../../src/definition/day-derivation.ts";
import { defineDaysDerivation } from "../../../src/definition/day-derivation.ts";
import { sql } from "../../../src/definition/sql.ts";
import type { Clock } from "../../../src/ingest/clock.ts";
import { findDerivedThrough } from "../../../src/ingest/control/derivation-record.ts";
import { deriveDaysRegularly } from "../../../src/ingest/day/derive-days-regularly.ts";
import { walletScores } from "../../../src/tables/wallet-scores.ts";
import { eachDayApart } from "../../fixtures/each-day-apart.ts";
import { manualClock } from "../manual-clock.ts";
import { openEngines } from "../open-engines.ts";

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(() => engines.close());

type Reported = (since: string, day: string) => void;

const derivation = (name: string, after: readonly string[], reported: Reported): DaysDerivation =>
  defineDaysDerivation({
    name,
    title: name,
    from: [],
    into: walletScores,
    after,
    touched: ({ since, today }) => {
      reported("since", since === undefined ? "ever" : String(since.value));
      return sql`SELECT toString(toDate(${today}) + number - 1) AS day FROM numbers(3)`;
    },
    ...eachDayApart((day) => reported("day", day)),
  });

const HOUR = 3_600_000;
const START = Date.parse("2026-05-20T10:00:00Z");

/** Waits for work on the real engines while the manual clock is paused. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test("each cycle derives yesterday and today since the last cycle, and retries a failed one with growing delays", async () => {
  const clock = manualClock(START);
  let sleeps = 0;
  const counting: Clock = {
    ...clock,
    sleep: (ms, signal) => {
      sleeps += 1;
      return clock.sleep(ms, signal);
    },
  };
  const stop = new AbortController();
  const reported: string[] = [];
  let failures = 1;
  const second = derivation("second", ["first"], (what, value) => {
    if (what === "day" && failures-- > 0) throw new Error("not today");
    reported.push(`second ${what} ${value}`);
  });
  const first = derivation("first", [], (what, value) => reported.push(`first ${what} ${value}`));
  const running = deriveDaysRegularly({
    ...engines,
    derivations: [second, first],
    clock: counting,
    signal: stop.signal,
  });
  const cycle = ["since ever", "day 2026-05-19", "day 2026-05-20"];
  await clock.advance(120_000);
  await until(() => reported.length === 4);
  expect(reported).toEqual([...cycle.map((what) => `first ${what}`), "second since ever"]);
  const through = await findDerivedThrough(engines.db, "first");
  expect(through?.getTime()).toBeLessThanOrEqual(START + 120_000);
  expect(await findDerivedThrough(engines.db, "second")).toBeUndefined();
  reported.length = 0;
  await until(() => sleeps === 2);
  await clock.advance(120_000);
  await until(() => reported.length === 6);
  expect(reported).toEqual([
    `first since ${(through?.getTime() ?? 0) * 1000}`,
    ...cycle.slice(1).map((what) => `first ${what}`),
    ...cycle.map((what) => `second ${what}`),
  ]);
  for (const [index, ms] of [240_000, 480_000, 960_000, 1_920_000, HOUR, HOUR].entries()) {
    await until(() => sleeps === 3 + index);
    reported.length = 0;
    await clock.advance(ms - 1);
    expect(reported).toEqual([]);
    await clock.advance(1);
    await until(() => reported.length === 6);
  }
  stop.abort(new Error("enough"));
  await running;
});

test("a cycle after the machine's clock was set back covers the rows stamped since then", async () => {
  const clock = manualClock(START);
  const stop = new AbortController();
  const reported: string[] = [];
  const third = derivation("third", [], (what, value) => what === "since" && reported.push(value));
  const running = deriveDaysRegularly({ ...engines, derivations: [third], clock, signal: stop.signal });
  await clock.advance(120_000);
  await until(() => reported.length === 1 && clock.sleeping() === 1);
  const through = await findDerivedThrough(engines.db, "third");
  clock.set(-HOUR);
  await clock.advance(240_000);
  await until(() => reported.length === 2);
  expect(reported).toEqual(["ever", String(((through?.getTime() ?? 0) - HOUR) * 1000)]);
  stop.abort(new Error("enough"));
  await running;
});
