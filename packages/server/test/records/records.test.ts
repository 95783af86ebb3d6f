import { setTimeout as sleep } from "node:timers/promises";
import { AbortedTransactionError, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readMigrations } from "../../src/records/migrate.ts";
import { openRecords } from "../../src/records/records.ts";
import type { Records, RecordsPlace } from "../../src/records/records.ts";
import { RecordsError } from "../../src/records/records-error.ts";
import { recordsHosts } from "./records-hosts.ts";
import type { RecordsHost } from "./records-hosts.ts";

/** One suite for every kind of place that can store records. */
function recordsSuite(start: () => Promise<RecordsHost>): void {
  let host: RecordsHost;
  let place: RecordsPlace;
  let records: Records;
  beforeAll(async () => {
    host = await start();
    place = await host.newPlace();
    records = await openRecords(place);
  });
  afterAll(async () => {
    await records?.close();
    await host?.stop();
  });

  test("contains the plans", async () => {
    const plans = await records.db.selectFrom("plans").selectAll().orderBy("rank").execute();
    expect(plans.map((plan) => [plan.name, plan.datasets])).toEqual([
      ["free", ["free"]],
      ["pro", ["free", "pro"]],
      ["enterprise", "all"],
    ]);
  });

  test("returns values as they were written", async () => {
    const at = new Date("2026-11-20T10:00:00.123Z");
    await records.db.insertInto("accounts").values(account("values")).execute();
    const key = {
      id: "key_v",
      account_id: "values",
      name: "ü'\"\\n\u0007",
      prefix: "p",
      digest: Buffer.from([0, 255, 39]),
    };
    await records.db
      .insertInto("api_keys")
      .values({ ...key, datasets: [556, 574], expires_at: at })
      .execute();
    const row = await records.db.selectFrom("api_keys").selectAll().where("id", "=", "key_v").executeTakeFirstOrThrow();
    expect(Buffer.from(row.digest)).toEqual(key.digest);
    expect(row).toMatchObject({
      name: key.name,
      datasets: [556, 574],
      expires_at: at,
      revoked_at: null,
      mode: "strict",
    });
    expect(row.created_at).toBeInstanceOf(Date);

    const cursor = { page: "a'b", block: 74_000_000, isDone: false, none: null };
    await records.db
      .insertInto("streams")
      .values({
        name: "values",
        cursor: JSON.stringify(cursor),
        reached: at.toISOString(),
        rows_stored: 9_007_199_254_740_991,
      })
      .execute();
    const stream = await records.db
      .selectFrom("streams")
      .selectAll()
      .where("name", "=", "values")
      .executeTakeFirstOrThrow();
    expect(stream).toMatchObject({
      cursor,
      reached: at,
      rows_stored: 9_007_199_254_740_991,
      since: null,
      state: "new",
    });

    const line = {
      day: "2026-11-20",
      key_id: "key_v",
      agent_id: 1,
      status: 200,
      requests: 1,
      rows: 2,
      bytes: 3,
      ms: 4,
      ms_buckets: [0, 124],
      ms_counts: [3, 4_000_000_000],
    };
    await records.db.insertInto("usage").values(line).execute();
    expect(await records.db.selectFrom("usage").selectAll().execute()).toEqual([line]);
  });

  test("rejects a count beyond 2^53 instead of rounding it", async () => {
    await expect(sql`select 9007199254740993::bigint as n`.execute(records.db)).rejects.toThrow("too large");
  });

  test("returns a generated id and the number of changed rows", async () => {
    const gap = { stream: "s", from_at: new Date(), reason: "r" };
    const first = await records.db.insertInto("gaps").values(gap).returning("id").executeTakeFirstOrThrow();
    const second = await records.db.insertInto("gaps").values(gap).returning("id").executeTakeFirstOrThrow();
    expect(second.id).toBe(first.id + 1);
    const changed = await records.db.updateTable("gaps").set({ filled_at: new Date() }).executeTakeFirst();
    expect(changed.numUpdatedRows).toBe(2n);
  });

  test("a violated unique constraint carries its SQLSTATE", async () => {
    await records.db.insertInto("accounts").values(account("twice")).execute();
    const again = records.db
      .insertInto("accounts")
      .values({ ...account("thrice"), email: "twice@x.org" })
      .execute();
    await expect(again).rejects.toMatchObject({ code: "23505", constraint: "accounts_email_key" });
    expect(Object.keys(await again.catch((error: object) => error)).sort()).toEqual([
      "code",
      "constraint",
      "detail",
      "name",
    ]);
  });

  test("a transaction that throws leaves nothing, and no concurrent write is lost with it", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `mix_${index}`);
    const outcomes = await Promise.allSettled(
      names.map(async (name, index) => {
        if (index % 2 === 0) return await records.db.insertInto("streams").values({ name }).execute();
        return await records.db.transaction().execute(async (transaction) => {
          await transaction.insertInto("streams").values({ name }).execute();
          await sleep(2);
          throw new Error("undo");
        });
      }),
    );
    expect(outcomes.filter((outcome) => outcome.status === "rejected")).toHaveLength(10);
    const kept = await records.db.selectFrom("streams").select("name").where("name", "like", "mix%").execute();
    expect(kept.map((row) => row.name).sort()).toEqual(names.filter((_, index) => index % 2 === 0).sort());
  });

  test("does not report a transaction as committed if it swallowed a failed statement", async () => {
    const hidden = records.db.transaction().execute(async (transaction) => {
      await transaction.insertInto("streams").values({ name: "hidden" }).execute();
      await transaction
        .insertInto("streams")
        .values({ name: "hidden" })
        .execute()
        .catch(() => {});
    });
    await expect(hidden).rejects.toBeInstanceOf(AbortedTransactionError);
    expect(await records.db.selectFrom("streams").select("name").where("name", "=", "hidden").execute()).toEqual([]);
  });

  test("concurrent transactions add up without a lost update", async () => {
    await records.db.insertInto("streams").values({ name: "sum" }).execute();
    await Promise.all(
      Array.from({ length: 60 }, async () => {
        await records.db.transaction().execute(async (transaction) => {
          const { rows_stored: before } = await transaction
            .selectFrom("streams")
            .select("rows_stored")
            .where("name", "=", "sum")
            .forUpdate()
            .executeTakeFirstOrThrow();
          await transaction
            .updateTable("streams")
            .set({ rows_stored: before + 1 })
            .where("name", "=", "sum")
            .execute();
        });
      }),
    );
    const { rows_stored: sum } = await records.db
      .selectFrom("streams")
      .select("rows_stored")
      .where("name", "=", "sum")
      .executeTakeFirstOrThrow();
    expect(sum).toBe(60);
  });

  test("several programs may open new records at the same time", async () => {
    const fresh = await host.newPlace();
    const count = async (): Promise<number> => {
      const opened = await openRecords(fresh);
      const plans = await opened.db.selectFrom("plans").selectAll().execute();
      await opened.close();
      return plans.length;
    };
    expect(await Promise.all([count(), count(), count()])).toEqual([3, 3, 3]);
  });

  test("keys from before key modes existed are strict, and there is no third mode", async () => {
    const { db, close } = await openRecords(await host.newPlace());
    const migrations = await readMigrations();
    await sql`alter table api_keys drop column mode`.execute(db);
    await db.insertInto("accounts").values(account("old")).execute();
    const key = { account_id: "old", name: "k", prefix: "p" };
    await db
      .insertInto("api_keys")
      .values({ ...key, id: "key_o", digest: Buffer.from([1]) })
      .execute();
    const modes = migrations.find(({ name }) => name === "0016-key-modes.sql");
    await sql.raw(modes?.text ?? "").execute(db);
    expect(await db.selectFrom("api_keys").select(["id", "mode"]).execute()).toEqual([{ id: "key_o", mode: "strict" }]);
    const lenient = { ...key, id: "key_l", digest: Buffer.from([2]), mode: "lenient" as "strict" };
    await expect(db.insertInto("api_keys").values(lenient).execute()).rejects.toThrow("check constraint");
    await close();
  });

  test("an older program rejects a newer schema with a clear message", async () => {
    const fresh = await host.newPlace();
    const before = await openRecords(fresh);
    const known = (await readMigrations()).length;
    await sql`insert into migrations (number, name, digest) values (${known + 1}, 'later.sql', 'x')`.execute(before.db);
    await before.close();
    const refused = await openRecords(fresh).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RecordsError);
    expect(refused).toMatchObject({ problem: "newer_schema" });
    expect((refused as Error).message).toContain(`at schema ${known + 1}, this program knows up to ${known}`);
  });

  test("keeps written rows after closing and reopening", async () => {
    await records.db.insertInto("derivations").values({ name: "kept" }).execute();
    await records.close();
    records = await openRecords(place);
    expect(await records.db.selectFrom("derivations").select("name").execute()).toEqual([{ name: "kept" }]);
  });
}

const account = (id: string) => ({ id, name: id, email: `${id}@x.org`, plan: "free" });

for (const { name, isAbsent, start } of recordsHosts()) describe.skipIf(isAbsent)(name, () => recordsSuite(start));
