import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "kysely";
import { describeRecords, hasRecords, dumpRecords, type RecordPage } from "../../src/records/backup/dump-records.ts";
import { loadOlderRecords, loadRecords } from "../../src/records/backup/load-records.ts";
import { openRecords, type Records } from "../../src/records/records.ts";
import { recordsHosts, type RecordsHost } from "../records/records-hosts.ts";

const WHEN = "2026-11-22T12:34:56.789012Z";

/** Stores every kind of column: bytes, arrays, JSON, microseconds, counts, rows that refer to each other. */
async function fillRecords({ db }: Records): Promise<void> {
  await db
    .insertInto("accounts")
    .values({ id: "acc_1", name: "Ann", email: "a@almanac.invalid", plan: "pro" })
    .execute();
  const key = { account_id: "acc_1", name: "key", prefix: "alm_1" };
  await db
    .insertInto("api_keys")
    .values([
      {
        ...key,
        id: "key_2",
        digest: Buffer.alloc(32, 255),
        datasets: [556, 585],
        mode: "compatible",
        created_at: WHEN,
      },
      { ...key, id: "key_1", digest: Buffer.alloc(32, 7), replaced_by: "key_2", expires_at: WHEN },
    ])
    .execute();
  await db
    .insertInto("streams")
    .values({
      name: "kalshi-trades",
      cursor: JSON.stringify({ after: "tra'de\\1", n: 5 }),
      reached: WHEN,
      rows_stored: 9_007_199_254_740_991,
    })
    .execute();
  const parked = {
    stream: "kalshi-trades",
    host: "h",
    route: "r",
    path: "/p",
    problem: "wrong",
    body: 'é\n"\\'.repeat(1000),
  };
  await db
    .insertInto("parked")
    .values(Array.from({ length: 45 }, () => parked))
    .execute();
  await db
    .insertInto("gaps")
    .values({ stream: "kalshi-trades", from_at: WHEN, reason: "parked", parked_id: 45, tried: ["a", "b"] })
    .execute();
  await db
    .insertInto("usage")
    .values({
      day: "2026-11-22",
      key_id: "key_1",
      agent_id: 556,
      status: 200,
      requests: 1,
      rows: 2,
      bytes: 3,
      ms: 4,
      ms_buckets: [1, 2],
      ms_counts: [3, 4],
    })
    .execute();
  await db.insertInto("derivations").values({ name: "wallet-days", through: WHEN }).execute();
  await db.insertInto("live_status").values({ process: "p", status: "{}" }).execute();
}

async function dump(db: Records["db"]): Promise<{ pages: RecordPage[]; sums: unknown }> {
  const pages: RecordPage[] = [];
  const sums = await dumpRecords(db, (page) => void pages.push(page));
  return { pages, sums };
}

function differs(): never {
  throw new Error("differs");
}

let embedded: RecordsHost;
let from: Records;
beforeAll(async () => {
  embedded = await (recordsHosts()[0]?.start() ?? Promise.reject(new Error("no embedded host")));
  from = await openRecords(await embedded.newPlace());
  await fillRecords(from);
});
afterAll(async () => {
  await from.close();
  await embedded.stop();
});

describe.each(recordsHosts())("control records from embedded to $name and back", ({ isAbsent, start }) => {
  test.skipIf(isAbsent)("are the same, replace what was there, and ids continue", async () => {
    const host = await start();
    const to = await openRecords(await host.newPlace());
    const back = await openRecords(await embedded.newPlace());
    try {
      expect([await hasRecords(from.db), await hasRecords(to.db)]).toEqual([true, false]);
      await to.db
        .insertInto("accounts")
        .values({ id: "acc_9", name: "x", email: "x@almanac.invalid", plan: "free" })
        .execute();
      const first = await dump(from.db);
      const counts = await loadRecords(to.db, first.pages);
      expect(counts).toMatchObject({ accounts: 1, api_keys: 2, parked: 45, gaps: 1, usage: 1, plans: 3 });
      expect(counts["live_status"]).toBeUndefined();
      expect(await describeRecords(to.db)).toEqual(first.sums);
      const second = await dump(to.db);
      expect(second.sums).toEqual(first.sums);
      await loadRecords(back.db, second.pages);
      expect(await describeRecords(back.db)).toEqual(first.sums);
      await loadOlderRecords(to.db, first.pages, 22, (held) => expect(held).toEqual(first.sums));
      expect(await describeRecords(to.db)).toEqual(first.sums);
      const added = await to.db
        .insertInto("gaps")
        .values({ stream: "s", from_at: WHEN, reason: "r" })
        .returning("id")
        .executeTakeFirstOrThrow();
      expect(added.id).toBe(2);
    } finally {
      await back.close();
      await to.close();
      await host.stop();
    }
  });

  test.skipIf(isAbsent)("are left unchanged if a page cannot be stored", async () => {
    const host = await start();
    const to = await openRecords(await host.newPlace());
    try {
      const before = await describeRecords(to.db);
      const { pages } = await dump(from.db);
      await expect(loadRecords(to.db, [...pages, { table: "horoscopes", rows: ["{}"] }])).rejects.toThrow("horoscopes");
      await expect(
        loadRecords(
          to.db,
          pages.filter(({ table }) => table !== "accounts"),
        ),
      ).rejects.toThrow();
      await expect(loadOlderRecords(to.db, pages, 22, differs)).rejects.toThrow("differs");
      expect(await describeRecords(to.db)).toEqual(before);
    } finally {
      await to.close();
      await host.stop();
    }
  });
});

test("the snapshot reads every table of the records except those of running processes", async () => {
  const { rows } = await sql<{
    name: string;
  }>`select table_name::text as name from information_schema.tables where table_schema = current_schema()`.execute(
    from.db,
  );
  const described = await describeRecords(from.db);
  const left = rows
    .map(({ name }) => name)
    .filter((name) => !(name in described))
    .toSorted();
  expect(left).toEqual(["leases", "live_status", "migrations", "row_stores", "stored_head", "stored_log"]);
});
