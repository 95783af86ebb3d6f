import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { LeftSpan } from "../../../src/definition/left-span.ts";
import type { Clock } from "../../../src/ingest/clock.ts";
import { systemClock } from "../../../src/ingest/clock.ts";
import { giveLeadBack, takeLead } from "../../../src/ingest/leader/leader-record.ts";
import { hearStored, type Hearing } from "../../../src/ingest/stored/hear-stored.ts";
import { readLog, tellLog } from "../../../src/ingest/stored/log-record.ts";
import { tellStored } from "../../../src/ingest/stored/tell-stored.ts";
import { gatherUntold } from "../../../src/ingest/stored/untold.ts";
import { hearOthers } from "../../../src/main/hear-others.ts";
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
/** What was heard since the test began, in order. */
let heard: unknown[];
let over: AbortController;

beforeAll(async () => void (records = await openRecords({ dataDir: folder.path })));
afterAll(async () => {
  await records.close();
  folder.remove();
});
beforeEach(() => {
  heard = [];
  over = new AbortController();
  return () => over.abort();
});

type Leader = { readonly store: ChangeCounts; readonly token: number; readonly end: () => Promise<void> };

async function lead(clock: Clock = systemClock): Promise<Leader> {
  const taken = await takeLead(records.db, { label: "a", seconds: 100, mayTakeOver: true });
  if (taken === undefined) throw new Error("somebody leads");
  const { token } = taken;
  const store = createChangeCounts();
  const end = await tellStored({ db: records.under(token), token, untold: gatherUntold(store), clock, log });
  return {
    store,
    token,
    end: async () => {
      await end();
      await giveLeadBack(records.db, token);
    },
  };
}

/** One that is killed tells nothing more. */
async function kill({ token, end }: Leader): Promise<void> {
  await records.db
    .updateTable("leases")
    .set({ expires_at: "-infinity", token: token + 1 })
    .execute();
  await end();
}

async function hear(monotonicMs?: () => number): Promise<Hearing> {
  const parts = { db: records.db, clock: systemClock, log, signal: over.signal };
  const hearing = await hearStored(monotonicMs ? { ...parts, monotonicMs } : parts);
  hearing.begin({
    changed: (name, left) => void heard.push([name, left]),
    missed: () => void heard.push("missed"),
  });
  return hearing;
}

const becomes = (hearing: Hearing, isCurrent: boolean) => expect.poll(hearing.isCurrent, OFTEN).toBe(isCurrent);

test("what the leader stores is heard in order, with what was taken away", async () => {
  let passed = 0;
  const leader = await lead({ ...systemClock, now: () => Date.now() + passed });
  const hearing = await hear();
  await becomes(hearing, true);
  leader.store.changed(fills, [span(5), span(7, 9)]);
  leader.store.changed(fills, [span(8, 12)]);
  // Its clock may be behind that of the leader before.
  const unsure = [fills.name, "unknown"];
  await expect.poll(() => heard, OFTEN).toEqual([[fills.name, [span(5), span(7, 12)]], unsure]);
  passed = 11_000;
  leader.store.changed(markets);
  await expect.poll(() => heard.slice(2), OFTEN).toEqual([[markets.name, []]]);
  leader.store.changed(fills, "unknown");
  await expect.poll(() => heard.slice(3), OFTEN).toEqual([[fills.name, []], unsure]);
  leader.store.changed(
    markets,
    Array.from({ length: 1001 }, (_, index) => span(index * 2)),
  );
  await expect
    .poll(() => heard.slice(5), OFTEN)
    .toEqual([
      [markets.name, []],
      [markets.name, "unknown"],
    ]);
  expect(hearing.isCurrent()).toBe(true);
  await leader.end();
});

test("who leads after one that ended well misses nothing, and after one that was killed may", async () => {
  const hearing = await hear();
  const first = await lead();
  await first.end();
  // A command may have written what nobody tells.
  await expect.poll(() => heard, OFTEN).toEqual(["missed"]);
  await becomes(hearing, true);
  const second = await lead();
  await becomes(hearing, true);
  second.store.changed(fills);
  await expect.poll(() => heard.at(-1), OFTEN).toEqual([fills.name, "unknown"]);
  expect(heard).toEqual(["missed", [fills.name, []], [fills.name, "unknown"]]);
  second.store.changed(markets);
  await kill(second);
  await becomes(hearing, false);
  const before = heard.length;
  const third = await lead();
  await becomes(hearing, true);
  expect(heard.slice(before)).toEqual(["missed"]);
  await third.end();
});

test("a leader that tells nothing any more, and who does not hear, have nobody know what is stored", async () => {
  const leader = await lead();
  let passed = 0;
  const hearing = await hear(() => performance.now() + passed);
  await becomes(hearing, true);
  passed += 1_100;
  expect(hearing.isCurrent()).toBe(false);
  await becomes(hearing, true);
  await records.db.updateTable("stored_head").set({ name: "hidden" }).execute();
  await becomes(hearing, false);
  await records.db.updateTable("stored_head").set({ name: "leader" }).execute();
  await becomes(hearing, true);
  expect(heard).toEqual([]);
  await leader.end();
});

test("what could not be told is told later, and what is gone from the log is missed", async () => {
  const leader = await lead();
  const hearing = await hear();
  await becomes(hearing, true);
  await records.db.updateTable("stored_head").set({ name: "hidden" }).execute();
  leader.store.changed(fills, [span(1)]);
  await becomes(hearing, false);
  leader.store.changed(fills, [span(3)]);
  await records.db.updateTable("stored_head").set({ name: "leader" }).execute();
  await expect.poll(() => heard[0], OFTEN).toEqual([fills.name, [span(1), span(3)]]);
  await leader.end();
  const { seq } = await readLog(records.db);
  await tellLog(records.db, leader.token, [{ table: fills.name, left: [], unknown: false }], "infinity");
  expect((await readLog(records.db, seq)).told).toEqual([[{ table: fills.name, left: [], unknown: false }]]);
  await records.db.deleteFrom("stored_log").where("seq", ">", seq).execute();
  expect(await readLog(records.db, seq)).toMatchObject({ seq: seq + 1, told: undefined });
  // Records of another time have lower numbers.
  expect((await readLog(records.db, seq + 9)).told).toBeUndefined();
});

test("who begins to hear where nobody ever led knows what is stored", async () => {
  const fresh = await openRecords({ dataDir: `${folder.path}/fresh` });
  const hearing = await hearStored({ db: fresh.db, clock: systemClock, log, signal: over.signal });
  hearing.begin({ changed: () => undefined, missed: () => void heard.push("missed") });
  await becomes(hearing, true);
  expect(heard).toEqual([]);
  over.abort();
  await fresh.close();
});

test.each([
  { change: {}, hears: true },
  { change: { clickhouseCluster: "c" }, hears: false },
  { change: { clickhouseUrl: undefined }, hears: false },
  { change: { databaseUrl: undefined }, hears: false },
  { change: { servingBytes: 0 }, hears: false },
])("a process of a server and PostgreSQL with $change hears: $hears", async ({ change, hears }) => {
  const place = { clickhouseUrl: "http://127.0.0.1:1", databaseUrl: "postgres://127.0.0.1:1/a" };
  const config = { ...place, clickhouseCluster: undefined, servingBytes: undefined, ...change };
  const hearing = await hearOthers(config, records, { log: pino({ level: "silent" }), signal: over.signal });
  expect(hearing !== undefined).toBe(hears);
});
