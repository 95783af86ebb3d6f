import { afterAll, beforeAll, expect, test } from "vitest";
import { defineDaysDerivation, type DaysDerivation } from "../../../src/definition/day-derivation.ts";
import { sql } from "../../../src/definition/sql.ts";
import { walletPatternsFromEvidence } from "../../../src/derivations/patterns/wallet-patterns.ts";
import { deriveDays } from "../../../src/ingest/day/derive-days.ts";
import { createLimiter } from "../../../src/ingest/concurrency.ts";
import { walletScores } from "../../../src/tables/wallet-scores.ts";
import { eachDayApart } from "../../fixtures/each-day-apart.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { manualClock } from "../manual-clock.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const DAYS = ["2026-05-16", "2026-05-17", "2026-05-18", "2026-05-19", "2026-05-20"];

const derivation = (
  name: string,
  made: (day: string) => Promise<void>,
  more: Pick<DaysDerivation, "readsEarlierDays">,
): DaysDerivation =>
  defineDaysDerivation({
    ...more,
    name,
    title: name,
    from: [],
    into: walletScores,
    after: [],
    touched: ({ today }) => sql`SELECT toString(toDate(${today}) - number) AS day FROM numbers(5)`,
    ...eachDayApart(made),
  });

/** Derives five days, each taking a while; returns the maximum concurrency and the days begun. */
async function derive(
  name: string,
  atOnce: number | undefined,
  { fails, ...more }: { readonly fails?: string } & Pick<DaysDerivation, "readsEarlierDays"> = {},
) {
  const reported = { begun: [] as string[], ended: [] as string[], most: 0, progress: [] as number[] };
  const made = async (day: string): Promise<void> => {
    reported.begun.push(day);
    reported.most = Math.max(reported.most, reported.begun.length - reported.ended.length);
    await new Promise((resolve) => setTimeout(resolve, 30));
    reported.ended.push(day);
    if (day === fails) throw new Error(`no ${day}`);
  };
  const run = {
    store,
    clock: manualClock(Date.parse("2026-05-20T12:00:00Z")),
    signal: new AbortController().signal,
    onProgress: (_name: string, _day: string, done: number) => void reported.progress.push(done),
    ...(atOnce === undefined ? {} : { withLock: createLimiter(atOnce) }),
  };
  const outcome = await deriveDays(derivation(name, made, more), undefined, run).catch((error: unknown) =>
    String(error),
  );
  return { ...reported, outcome };
}

test("derives days one at a time, oldest first, or as many concurrently as the limiter allows", async () => {
  const alone = await derive("alone", undefined);
  expect(alone).toMatchObject({ outcome: 5, most: 1, begun: DAYS, progress: [1, 2, 3, 4, 5] });
  const beside = await derive("beside", 2);
  expect(beside).toMatchObject({ outcome: 5, most: 2, progress: [1, 2, 3, 4, 5] });
  expect(beside.begun.toSorted()).toEqual(DAYS);
});

test("after a day fails, begins no other day and lets running ones finish", async () => {
  const { outcome, begun, ended } = await derive("fails", 2, { fails: "2026-05-17" });
  expect(outcome).toBe("Error: no 2026-05-17");
  expect(begun.length).toBeLessThan(DAYS.length);
  expect(ended).toEqual(begun);
});

test("derives days that read earlier days one at a time regardless of the limiter", async () => {
  const reported = await derive("in order", 2, { readsEarlierDays: true });
  expect(reported).toMatchObject({ outcome: 5, most: 1, begun: DAYS });
  expect(walletPatternsFromEvidence.readsEarlierDays).toBe(true);
});
