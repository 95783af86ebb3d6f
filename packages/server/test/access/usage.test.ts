import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openAccess, type Usage } from "../../src/access/access.ts";
import { createAccount } from "../../src/access/accounts.ts";
import { createKey } from "../../src/access/keys.ts";
import { createUser } from "../../src/access/users.ts";
import type { AdminContext } from "../../src/access/change.ts";
import { RELATIVE_ERROR } from "../../src/access/latency-buckets.ts";
import { readAccountsUsage } from "../../src/access/read-accounts-usage.ts";
import { readUsageDays, readUsage } from "../../src/access/read-usage.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { openRecords, type Records } from "../../src/records/records.ts";
import { recordsHosts, type RecordsHost } from "../records/records-hosts.ts";

const NOON = Date.parse("2026-11-20T12:00:00Z");
const DAY = 86_400_000;

const at = (daysAgo: number): string => new Date(NOON - daysAgo * DAY).toISOString().slice(0, 10);

const hosts = recordsHosts();
/** The host on which two hundred thousand lines take least time. */
const quickest = hosts.findLast(({ isAbsent }) => !isAbsent)?.name;
for (const { name, isAbsent, start } of hosts)
  describe.skipIf(isAbsent)(name, () => usageSuite(start, thoroughly(true, name === quickest)));

function usageSuite(start: () => Promise<RecordsHost>, isFilled: boolean): void {
  let host: RecordsHost;
  let records: Records;
  let admin: AdminContext;
  beforeAll(async () => {
    host = await start();
    records = await openRecords(await host.newPlace());
    admin = { db: records.db, clock: () => NOON, actor: "test" };
  });
  afterAll(async () => {
    await records?.close();
    await host?.stop();
  });

  /** Counts half of the usage on each of two nodes. */
  async function count(day: string, used: readonly Usage[]): Promise<void> {
    const clock = (): number => Date.parse(`${day}T12:00:00Z`);
    const nodes = [0, 1].map(() => openAccess({ records, clock, log: { warn: () => expect.fail("not written") } }));
    for (const [index, one] of used.entries()) nodes[index % 2]?.count(one);
    for (const node of nodes) await node.close();
  }
  let made = 0;
  const account = async (name: string): Promise<string> => {
    made += 1;
    return (await createAccount(admin, { name, email: `a${made}@example.org` })).account.id;
  };
  const key = async (of: string, name: string): Promise<string> =>
    (await createKey(admin, { account: of, name })).summary.id;
  const line = { agentId: 556, status: 200, rows: 3, bytes: 100, ms: 8 };

  test("reports an account's usage by day, key, dataset and status, with names, including the explorer's", async () => {
    const mine = await account("A");
    const [one, two] = [await key(mine, "=cmd()"), await key(mine, "second")];
    const { user } = await createUser(admin, { account: mine, email: "eve@example.org", name: "Eve", role: "member" });
    await count("2026-11-19", [
      { ...line, keyId: one },
      { ...line, keyId: one, rows: 5, ms: 80 },
      { ...line, keyId: one, status: 429, rows: 0 },
      { ...line, keyId: two, agentId: 574 },
    ]);
    await count("2026-11-20", [{ ...line, keyId: user.id, ms: 0.1 }]);
    const report = await readUsage(admin, mine, {}, 100);
    expect(report).toMatchObject({ from: "2026-10-22", to: "2026-11-20", has_more: false });
    expect(report.lines).toHaveLength(4);
    expect(report.lines[0]).toEqual({
      day: "2026-11-20",
      key_id: user.id,
      key_name: "Explorer (Eve)",
      agent_id: 556,
      status: 200,
      requests: 1,
      rows: 3,
      bytes: 100,
      ms_mean: 0,
      ms_p50: 0.25,
      ms_p95: 0.25,
      ms_p99: 0.25,
    });
    expect(report.lines[1]).toMatchObject({
      day: "2026-11-19",
      key_id: one,
      key_name: "=cmd()",
      status: 200,
      requests: 2,
      rows: 8,
      bytes: 200,
      ms_mean: 44,
    });
    expect(Math.abs((report.lines[1]?.ms_p50 ?? 0) / 8 - 1)).toBeLessThanOrEqual(RELATIVE_ERROR);
    expect(Math.abs((report.lines[1]?.ms_p99 ?? 0) / 80 - 1)).toBeLessThanOrEqual(RELATIVE_ERROR);
    const reported = async (requested: object): Promise<number> =>
      (await readUsage(admin, mine, requested, 100)).lines.reduce((sum, { requests }) => sum + requests, 0);
    expect(await reported({ key: one })).toBe(3);
    expect(await reported({ agent_id: "574" })).toBe(1);
    expect(await reported({ status: "429" })).toBe(1);
    expect(await reported({ status: "2xx" })).toBe(4);
    expect(await reported({ from: "2026-11-20" })).toBe(1);
    expect(await reported({ to: "2026-11-18" })).toBe(0);
    expect(await reported({ key: one, status: "4xx", agent_id: "556", from: "2026-11-19", to: "2026-11-19" })).toBe(1);
  });

  test("never reports another account's usage, even if its key is named", async () => {
    const [mine, other] = [await account("M"), await account("O")];
    const theirs = await key(other, "k");
    await count("2026-11-20", [{ ...line, keyId: theirs }]);
    expect((await readUsage(admin, mine, {}, 100)).lines).toEqual([]);
    expect((await readUsage(admin, mine, { key: theirs }, 100)).lines).toEqual([]);
    expect((await readUsage(admin, other, { key: theirs }, 100)).lines).toHaveLength(1);
  });

  test("usage adds up the same in every grouping, and its quantiles are those of all requests together", async () => {
    const used = fc.record({
      agentId: fc.constantFrom(0, 556, 574),
      status: fc.constantFrom(200, 400, 429),
      rows: fc.nat(1000),
      bytes: fc.nat(100_000),
      ms: fc.double({ min: -1, max: 9, noNaN: true }).map((power) => Math.exp(power)),
      day: fc.constantFrom("2026-11-18", "2026-11-19", "2026-11-20"),
      which: fc.nat(2),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(used, { minLength: 1, maxLength: 200, size: "max" }), async (all) => {
        const mine = await account("P");
        const keys = [await key(mine, "0"), await key(mine, "1"), await key(mine, "2")];
        for (const day of new Set(all.map((one) => one.day))) {
          const ofDay = all.filter((one) => one.day === day);
          await count(
            day,
            ofDay.map(({ day: _day, which, ...one }) => Object.assign(one, { keyId: keys[which] ?? "" })),
          );
        }
        const sumOf = (field: "rows" | "bytes"): number => all.reduce((sum, one) => sum + one[field], 0);
        for (const by of ["day,key,dataset,status", "day", "key,status", "dataset", ""]) {
          const { lines } = await readUsage(admin, mine, { by }, 1000);
          const reported = (field: "requests" | "rows" | "bytes"): number =>
            lines.reduce((sum, one) => sum + one[field], 0);
          expect([reported("requests"), reported("rows"), reported("bytes")]).toEqual([
            all.length,
            sumOf("rows"),
            sumOf("bytes"),
          ]);
        }
        const [total] = (await readUsage(admin, mine, { by: "" }, 10)).lines;
        expect(total).toMatchObject({ day: null, key_id: null, key_name: null, agent_id: null, status: null });
        const sorted = all.map(({ ms }) => ms).sort((a, b) => a - b);
        for (const [reported, share] of [
          [total?.ms_p50, 0.5],
          [total?.ms_p95, 0.95],
          [total?.ms_p99, 0.99],
        ] as const) {
          const exact = sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? Number.NaN;
          // Reported to two decimal places.
          expect(Math.abs((reported ?? 0) - exact)).toBeLessThanOrEqual(exact * RELATIVE_ERROR + 0.0051);
        }
        const daily = await readUsageDays(admin, mine, {});
        expect(daily.total).toEqual(total);
        expect(daily.days).toEqual((await readUsage(admin, mine, { by: "day" }, 1000)).lines);
      }),
      { numRuns: thoroughly(5, 2) },
    );
  });

  test("usage is bounded to the newest lines and reports that there are more", async () => {
    const mine = await account("B");
    const one = await key(mine, "k");
    await count(
      "2026-11-19",
      [1, 2, 3].map((agentId) => Object.assign({ keyId: one }, line, { agentId })),
    );
    await count("2026-11-20", [{ ...line, keyId: one }]);
    const { lines, has_more } = await readUsage(admin, mine, {}, 2);
    expect(has_more).toBe(true);
    expect(lines.map(({ day }) => day)).toEqual(["2026-11-20", "2026-11-19"]);
    expect((await readUsage(admin, mine, {}, 4)).has_more).toBe(false);
  });

  const march = { from: "2026-03-01", to: "2026-03-31" };
  const filling =
    (one: string) =>
    async (day: string, lines: number): Promise<void> =>
      void (await sql`
        insert into usage select cast(${day} as date), ${one}, place, 200, 2, 1, 1, 3, '{10,20}', '{1,1}'
        from generate_series(1, cast(${lines} as integer)) as place`.execute(records.db));

  test("usage is summed in small steps however much there is", async () => {
    const mine = await account("Large");
    const fill = filling(await key(mine, "k"));
    for (let day = 1; day <= 9; day += 1) await fill(`2026-03-0${day}`, 2000);
    await fill("2026-03-10", 7000);
    const { days, total } = await readUsageDays(admin, mine, march);
    expect(days.map(({ requests }) => requests)).toEqual([14_000, ...Array.from({ length: 9 }, () => 4000)]);
    expect(total).toMatchObject({ requests: 50_000, rows: 25_000, ms_mean: 1.5 });
    expect((await readUsage(admin, mine, { ...march, by: "dataset" }, 10_000)).lines).toHaveLength(7000);
    const newest = await readUsage(admin, mine, march, 9000);
    expect(newest.has_more).toBe(true);
    expect(new Set(newest.lines.map(({ day }) => day))).toEqual(new Set(["2026-03-10", "2026-03-09"]));
  });

  test.runIf(isFilled)("refuses usage beyond what can be summed", async () => {
    const mine = await account("Largest");
    const fill = filling(await key(mine, "k"));
    await fill("2026-03-10", 2000);
    const { total } = await readUsageDays(admin, mine, march);
    expect(total).toMatchObject({ requests: 4000 });
    await fill("2026-03-11", 200_000);
    await expect(readUsageDays(admin, mine, march)).rejects.toMatchObject({ problem: "invalid" });
    expect((await readUsageDays(admin, mine, { ...march, to: "2026-03-10" })).total).toEqual(total);
  });

  test("lines stored before latency buckets existed have a mean and no quantiles", async () => {
    const mine = await account("Old");
    const keyId = await key(mine, "k");
    const old = {
      day: "2026-11-01",
      key_id: keyId,
      agent_id: 556,
      status: 200,
      requests: 4,
      rows: 1,
      bytes: 1,
      ms: 10,
    };
    await records.db.insertInto("usage").values(old).execute();
    const [reported] = (await readUsage(admin, mine, {}, 2)).lines;
    expect(reported).toMatchObject({ requests: 4, ms_mean: 2.5, ms_p50: null, ms_p95: null, ms_p99: null });
  });

  test.each([
    [{ from: "2026-11-21", to: "2026-11-20" }, "from"],
    [{ from: "2025-01-01" }, "from"],
    [{ from: "20.11.2026" }, "from"],
    [{ to: "2026-02-30" }, "to"],
    [{ status: "7xx" }, "status"],
    [{ status: "20x" }, "status"],
    [{ agent_id: "-1" }, "agent_id"],
    [{ by: "hour" }, "by"],
    [{ key: ["a", "b"] }, "key"],
    [{ form: "2026-11-20" }, "form"],
  ])("%j is refused, and the error names the field", async (requested, field) => {
    const error = await readUsage(admin, "acc_x", requested as object, 10).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ problem: "invalid" });
    expect(JSON.stringify(error)).toContain(field);
  });

  test("reports the usage of all accounts for today and thirty days, the most active first", async () => {
    const [busy, quiet] = [await account("Busy"), await account("Quiet")];
    const [one, two] = [await key(busy, "k"), await key(quiet, "k")];
    await count(at(0), [
      ...Array.from({ length: 50 }, () => ({ ...line, keyId: one })),
      { ...line, keyId: one, status: 429 },
      { ...line, keyId: one, status: 503 },
      { ...line, keyId: two },
    ]);
    await count(at(29), [{ ...line, keyId: two }]);
    await count(
      at(30),
      Array.from({ length: 90 }, () => ({ ...line, keyId: two })),
    );
    const { accounts, days } = await readAccountsUsage(admin, 1000);
    const requested = accounts.map(({ requests_30d }) => requests_30d);
    expect(requested).toEqual(requested.toSorted((a, b) => b - a));
    expect(accounts.find(({ account_id }) => account_id === busy)).toEqual({
      account_id: busy,
      name: "Busy",
      plan: "free",
      requests_today: 52,
      requests_30d: 52,
      refused_30d: 1,
      failed_30d: 1,
      rows_30d: 156,
      bytes_30d: 5200,
    });
    expect(accounts.find(({ account_id }) => account_id === quiet)).toMatchObject({
      requests_today: 1,
      requests_30d: 2,
    });
    expect(days[0]?.day).toBe(at(0));
    expect(days.every(({ day }) => day >= at(29) && day <= at(0))).toBe(true);
    expect((await readAccountsUsage(admin, 1)).accounts).toHaveLength(1);
  });
}
