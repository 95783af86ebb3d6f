import { beforeEach, expect, test } from "vitest";
import { pino } from "pino";
import { Registry } from "prom-client";
import { definePull, type Batch, type Feed } from "../../src/definition/connector.ts";
import { runBackfill } from "../../src/ingest/backfill.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { dropSettled } from "../../src/ingest/control/settled-records.ts";
import { findStream, saveBatch } from "../../src/ingest/control/save-batch.ts";
import { findOpenUndo, openUndo } from "../../src/ingest/control/undo-record.ts";
import { createIngestMetrics } from "../../src/ingest/ingest-metrics.ts";
import { runPull, type PullRun } from "../../src/ingest/pull.ts";
import { createStreamWatch } from "../../src/ingest/stream-watch.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { fileRecords } from "../records/file-records.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const before = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);

const records = fileRecords();
beforeEach(async () => {
  for (const table of ["streams", "backfills", "gaps"] as const) await records.db.deleteFrom(table).execute();
});

/** One page with one row and the cursor after it. */
async function* onePage(): AsyncGenerator<Batch, void, void> {
  yield { rows: [{ table: polymarketFills, rows: [{}] }], cursor: { place: 1 }, reached: NOW.toISOString() };
}

const connector = definePull({
  name: "fills",
  title: "Fills",
  venue: "polymarket",
  host: { name: "venue", setting: "URL", limits: {}, share: 1 },
  tables: [polymarketFills],
  everySeconds: 1,
  canBackfill: true,
  pull: onePage,
});

function runOf(signal: AbortSignal, write: PullRun["write"]): PullRun {
  return {
    connector,
    feed: {} as Feed,
    also: {},
    db: records.db,
    write,
    known: () => Promise.resolve([]),
    clock: systemClock,
    log: pino({ level: "silent" }),
    metrics: createIngestMetrics(new Registry()),
    watch: createStreamWatch(connector.name),
    signal,
  };
}

test("saves a stream's cursor after its rows are stored, so that a kill between the two reads them again", async () => {
  const stop = new AbortController();
  const killed = runOf(stop.signal, async () => {
    stop.abort(new Error("killed"));
    throw new Error("killed");
  });
  await runPull(killed);
  expect((await findStream(records.db, "fills"))?.cursor ?? null).toBeNull();
});

const killed = () => Promise.reject(new Error("killed"));
const done = () => Promise.resolve();
const storeAll: PullRun["write"] = async () => ({ stored: 1, known: 0 });

test("saves a backfill's position after its rows are derived", async () => {
  const deriver = { flush: killed, flushLeft: killed };
  const range = { from: before(2).toISOString(), to: before(1).toISOString() };
  const run = { ...runOf(new AbortController().signal, storeAll), deriver, range, attempts: 1 };
  await expect(runBackfill(run)).rejects.toThrow("killed");
  const saved = await records.db.selectFrom("backfills").select(["cursor", "finished_at"]).executeTakeFirst();
  expect(saved).toEqual({ cursor: null, finished_at: null });
});

test("a backfill saves its positions with times, to find what was derived by a given time", async () => {
  const range = { from: before(2).toISOString(), to: before(1).toISOString() };
  const deriver = { flush: done, flushLeft: done };
  await runBackfill({ ...runOf(new AbortController().signal, storeAll), deriver, range });
  const saved = await records.db
    .selectFrom("backfills")
    .select(["saves", "finished_at", "updated_at"])
    .executeTakeFirstOrThrow();
  expect(saved.saves).toEqual([{ at: expect.stringMatching(/Z$/) as string, reached: NOW.toISOString() }]);
  expect(Date.parse(saved.saves?.[0]?.at ?? "")).toBeLessThanOrEqual(saved.updated_at.getTime());
  expect(saved.finished_at).toEqual(saved.updated_at);
});

test("rolled-back rows are a gap until a batch reports its blocks as complete", async () => {
  const { db } = records;
  await openUndo(db, { stream: "fills" }, { from: before(1), to: NOW }, NOW);
  await saveBatch(db, "fills", { rows: [], cursor: {} }, 0, NOW);
  expect(await findOpenUndo(db, { stream: "fills" })).toHaveLength(1);
  await saveBatch(db, "fills", { rows: [], cursor: {}, isCanonical: true }, 0, NOW);
  expect(await findOpenUndo(db, { stream: "fills" })).toEqual([]);
});

test("deletes old gaps that were filled long ago, and keeps open ones permanently", async () => {
  const gap = { stream: "fills", from_at: before(200), to_at: before(199), opened_at: before(199), reason: "down" };
  const { db } = records;
  await db
    .insertInto("gaps")
    .values([gap, { ...gap, filled_at: before(1) }, { ...gap, filled_at: before(100) }])
    .execute();
  await dropSettled(db, NOW);
  const left = await db.selectFrom("gaps").select("filled_at").orderBy("id").execute();
  expect(left.map(({ filled_at }) => filled_at)).toEqual([null, before(1)]);
});
