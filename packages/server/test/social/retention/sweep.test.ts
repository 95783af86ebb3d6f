import { pino } from "pino";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sweep, Swept } from "../../../src/definition/regular-jobs.ts";
import { findRetention } from "../../../src/ingest/control/retention-record.ts";
import { saveDerivedThrough } from "../../../src/ingest/control/derivation-record.ts";
import { createIngestMetrics } from "../../../src/ingest/ingest-metrics.ts";
import { oldSweep } from "../../../src/derivations/social-retention/drop-old.ts";
import { runSweep, sweepRegularly } from "../../../src/ingest/sweep/sweep-regularly.ts";
import { socialMentions } from "../../../src/tables/social-mentions.ts";
import { socialPosts } from "../../../src/tables/social-posts.ts";
import { socialPost } from "../../fixtures/social-rows.ts";
import { manualClock } from "../../ingest/manual-clock.ts";
import { openEngines } from "../../ingest/open-engines.ts";

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(async () => engines.close());

test("sweeps run at their own interval and one at a time; progress is recorded and failures are retried", async () => {
  const clock = manualClock();
  const begun = clock.now();
  const ended = new AbortController();
  const registry = new Registry();
  const reported: (number | undefined)[] = [];
  let running = 0;
  const sweep = (name: string, everySeconds: number, turns: (Swept | Error)[], goneBefore?: number): Sweep => ({
    name,
    title: `Rows of ${name}`,
    of: socialPosts,
    everySeconds,
    sweep: async (_store, { now, derivedThrough, removing }) => {
      running += 1;
      expect(running).toBe(1);
      reported.push(await derivedThrough(socialMentions));
      running -= 1;
      const turn = turns.shift();
      if (turn instanceof Error) throw turn;
      expect(now).toBe(clock.now());
      if (goneBefore !== undefined) await removing(goneBefore);
      return turn ?? { rows: 0, isDone: true };
    },
  });
  const results = [{ rows: 5, isDone: false }, { rows: 2, isDone: true }, new Error("the engine is away")];
  const often = sweep("often", 300, results, begun - 1000);
  const seldom = sweep("seldom", 3600, []);
  const sweeping = sweepRegularly({
    sweeps: [often, seldom],
    makers: [{ name: "mentions", into: socialMentions }],
    store: engines.store,
    db: engines.db,
    clock,
    venueNow: clock.now,
    log: pino({ level: "silent" }),
    metrics: createIngestMetrics(registry),
    signal: ended.signal,
  });
  const after = async (ms: number, turns: number) => {
    await clock.advance(ms);
    await expect.poll(() => reported.length).toBe(turns);
    // Their runs have ended, and the results are recorded.
    await expect.poll(() => clock.sleeping()).toBe(2);
  };
  await after(60_000, 2);
  expect(reported).toEqual([undefined, undefined]);
  await saveDerivedThrough(engines.db, "mentions", new Date(begun), new Date(begun));
  // The first run reached its limit, so the next follows soon, then at the usual interval.
  await after(5000, 3);
  expect(reported.at(-1)).toBe(begun);
  await after(300_000, 4);
  ended.abort(new Error("over"));
  await sweeping;
  expect(await findRetention(engines.db)).toMatchObject([
    { name: "often", rows: 7, gone_before: new Date(begun - 1000), last_error: "the engine is away" },
    { name: "seldom", rows: 0, gone_before: null, last_error: null },
  ]);
  const counted = await registry.getMetricsAsJSON();
  const swept = counted.find(({ name }) => name === "almanac_ingest_swept_rows_total");
  expect(swept?.values).toContainEqual(expect.objectContaining({ labels: { sweep: "often" }, value: 7 }));
});

test("from when on rows are gone is recorded although the engine's answer to their deletion was lost", async () => {
  const clock = manualClock();
  const ts = new Date(clock.now() - 40 * 86_400_000).toISOString();
  await engines.store.insert(socialPosts, [socialPost(0, { ts, created_on: ts })]);
  const alter: typeof engines.store.alter = async (...given) => {
    await engines.store.alter(...given);
    throw new Error("the connection was closed");
  };
  const run = {
    makers: [],
    store: engines.store,
    db: engines.db,
    clock,
    venueNow: clock.now,
    log: pino({ level: "silent" }),
    metrics: createIngestMetrics(new Registry()),
    signal: new AbortController().signal,
  };
  await expect(runSweep(oldSweep(30), { ...run, store: { ...engines.store, alter } })).rejects.toThrow("closed");
  await runSweep(oldSweep(30), run);
  const goneBefore = new Date(Math.floor(clock.now() / 86_400_000 - 30) * 86_400_000);
  expect(await findRetention(engines.db)).toContainEqual(
    expect.objectContaining({ name: "social-old", gone_before: goneBefore }),
  );
});
