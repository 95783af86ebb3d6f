import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { LeftSpan } from "../../../src/definition/spans.ts";
import { type Clock, systemClock } from "../../../src/ingest/clock.ts";
import { giveLeadBack, takeLead } from "../../../src/ingest/leader/leader-record.ts";
import { followChanges, type ChangeFeed } from "../../../src/ingest/change-log/follow-changes.ts";
import { readLog, appendToLog } from "../../../src/ingest/change-log/log-record.ts";
import { publishChanges, collectUnpublished } from "../../../src/ingest/change-log/publish-changes.ts";
import { followLeader } from "../../../src/main/shared-changes.ts";
import { openRecords, type Records } from "../../../src/records/records.ts";
import { createChangeCounts, type ChangeCounts } from "../../../src/store/change-counts.ts";
import { table } from "../../fixtures/sample-rows.ts";
import { tempFolder } from "../../records/temp-folder.ts";

const [fills, markets] = [table("polymarket_fills"), table("polymarket_markets")];
const OFTEN = { interval: 5 };
const span = (from: number, to = from): LeftSpan => ({ from, to });
const log = { warn: () => undefined };
const folder = tempFolder();
let records: Records;
/** Changes delivered since the test began, in order. */
let delivered: unknown[];
let over: AbortController;

beforeAll(async () => void (records = await openRecords({ dataDir: folder.path })));
afterAll(async () => {
  await records.close();
  folder.remove();
});
beforeEach(() => {
  delivered = [];
  over = new AbortController();
  return () => over.abort();
});

type Leader = { readonly store: ChangeCounts; readonly token: number; readonly end: () => Promise<void> };

async function lead(clock: Clock = systemClock): Promise<Leader> {
  const taken = await takeLead(records.db, { label: "a", seconds: 100, mayTakeOver: true });
  if (taken === undefined) throw new Error("somebody leads");
  const { token } = taken;
  const store = createChangeCounts();
  const end = await publishChanges({
    db: records.under(token),
    token,
    unpublished: collectUnpublished(store),
    clock,
    log,
  });
  return {
    store,
    token,
    end: async () => {
      await end();
      await giveLeadBack(records.db, token);
    },
  };
}

/** A killed leader publishes nothing more. */
async function kill({ token, end }: Leader): Promise<void> {
  await records.db
    .updateTable("leases")
    .set({ expires_at: "-infinity", token: token + 1 })
    .execute();
  await end();
}

async function follow(monotonicMs?: () => number): Promise<ChangeFeed> {
  const parts = { db: records.db, clock: systemClock, log, signal: over.signal };
  const feed = await followChanges(monotonicMs ? { ...parts, monotonicMs } : parts);
  feed.begin({
    changed: (name, left) => void delivered.push([name, left]),
    missed: () => void delivered.push("missed"),
  });
  return feed;
}

const becomes = (feed: ChangeFeed, isCurrent: boolean) => expect.poll(feed.isCurrent, OFTEN).toBe(isCurrent);

test("delivers the leader's stored changes in order, including spans of removed rows", async () => {
  let passed = 0;
  const leader = await lead({ ...systemClock, monotonicMs: () => systemClock.monotonicMs() + passed });
  const feed = await follow();
  await becomes(feed, true);
  leader.store.changed(fills, [span(5), span(7, 9)]);
  leader.store.changed(fills, [span(8, 12)]);
  // The new leader's clock may be behind that of the previous leader.
  const unsure = [fills.name, "unknown"];
  await expect.poll(() => delivered, OFTEN).toEqual([[fills.name, [span(5), span(7, 12)]], unsure]);
  passed = 11_000;
  leader.store.changed(markets);
  await expect.poll(() => delivered.slice(2), OFTEN).toEqual([[markets.name, []]]);
  leader.store.changed(fills, "unknown");
  await expect.poll(() => delivered.slice(3), OFTEN).toEqual([[fills.name, []], unsure]);
  leader.store.changed(
    markets,
    Array.from({ length: 1001 }, (_, index) => span(index * 2)),
  );
  await expect
    .poll(() => delivered.slice(5), OFTEN)
    .toEqual([
      [markets.name, []],
      [markets.name, "unknown"],
    ]);
  expect(feed.isCurrent()).toBe(true);
  await leader.end();
});

test("a new leader misses no changes after a clean handover, but may after the previous leader was killed", async () => {
  const feed = await follow();
  const first = await lead();
  await first.end();
  // A command may have written rows that no process publishes.
  await expect.poll(() => delivered, OFTEN).toEqual(["missed"]);
  await becomes(feed, true);
  const second = await lead();
  await becomes(feed, true);
  second.store.changed(fills);
  await expect.poll(() => delivered.at(-1), OFTEN).toEqual([fills.name, "unknown"]);
  expect(delivered).toEqual(["missed", [fills.name, []], [fills.name, "unknown"]]);
  second.store.changed(markets);
  await kill(second);
  await becomes(feed, false);
  const before = delivered.length;
  const third = await lead();
  await becomes(feed, true);
  expect(delivered.slice(before)).toEqual(["missed"]);
  await third.end();
});

test("a feed is not current while the leader publishes nothing or the log cannot be read", async () => {
  const leader = await lead();
  let passed = 0;
  const feed = await follow(() => performance.now() + passed);
  await becomes(feed, true);
  passed += 1_100;
  expect(feed.isCurrent()).toBe(false);
  await becomes(feed, true);
  await records.db.updateTable("stored_head").set({ name: "hidden" }).execute();
  await becomes(feed, false);
  await records.db.updateTable("stored_head").set({ name: "leader" }).execute();
  await becomes(feed, true);
  expect(delivered).toEqual([]);
  await leader.end();
});

test("publishes failed entries later, and reports entries deleted from the log as missed", async () => {
  const leader = await lead();
  const feed = await follow();
  await becomes(feed, true);
  await records.db.updateTable("stored_head").set({ name: "hidden" }).execute();
  leader.store.changed(fills, [span(1)]);
  await becomes(feed, false);
  leader.store.changed(fills, [span(3)]);
  await records.db.updateTable("stored_head").set({ name: "leader" }).execute();
  await expect.poll(() => delivered[0], OFTEN).toEqual([fills.name, [span(1), span(3)]]);
  await leader.end();
  const { seq } = await readLog(records.db);
  await appendToLog(records.db, leader.token, [{ table: fills.name, left: [], unknown: false }], "infinity");
  expect((await readLog(records.db, seq)).entries).toEqual([[{ table: fills.name, left: [], unknown: false }]]);
  await records.db.deleteFrom("stored_log").where("seq", ">", seq).execute();
  expect(await readLog(records.db, seq)).toMatchObject({ seq: seq + 1, entries: undefined });
  // Records from another time have lower numbers.
  expect((await readLog(records.db, seq + 9)).entries).toBeUndefined();
});

test("a feed is current if no process ever led", async () => {
  const fresh = await openRecords({ dataDir: `${folder.path}/fresh` });
  const feed = await followChanges({ db: fresh.db, clock: systemClock, log, signal: over.signal });
  feed.begin({ changed: () => undefined, missed: () => void delivered.push("missed") });
  await becomes(feed, true);
  expect(delivered).toEqual([]);
  over.abort();
  await fresh.close();
});

test.each([
  { change: {}, follows: true },
  { change: { clickhouseCluster: "c" }, follows: false },
  { change: { clickhouseUrl: undefined }, follows: false },
  { change: { databaseUrl: undefined }, follows: false },
  { change: { servingBytes: 0 }, follows: false },
])("a process of a server and PostgreSQL with $change follows: $follows", async ({ change, follows }) => {
  const place = { clickhouseUrl: "http://127.0.0.1:1", databaseUrl: "postgres://127.0.0.1:1/a" };
  const config = { ...place, clickhouseCluster: undefined, servingBytes: undefined, ...change };
  const feed = await followLeader(config, records, { log: pino({ level: "silent" }), signal: over.signal });
  expect(feed !== undefined).toBe(follows);
});
