import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tables } from "../../src/catalogue.ts";
import { fromDefinition, sql } from "../../src/definition/sql.ts";
import { columnsIn } from "../../src/definition/table.ts";
import { applyMissing } from "../../src/store/apply-missing.ts";
import type { Runner } from "../../src/store/connection.ts";
import { createStatements } from "../../src/store/ddl.ts";
import { startEngine } from "../../src/store/embedded/start-engine.ts";
import { migrate } from "../../src/store/migrate.ts";
import { readMigrations } from "../../src/store/migrations.ts";
import { openStore, type OpenStore } from "../../src/store/open-store.ts";
import { MIGRATIONS, openTestStore } from "../fixtures/open-test-store.ts";
import { table } from "../fixtures/sample-rows.ts";
import { schemaOf } from "../fixtures/schema-of.ts";
import { withMigration } from "../fixtures/with-migration.ts";

/** The schema made by the 32 migrations that the baseline replaces. */
const AT_32 = readFileSync(join(import.meta.dirname, "../fixtures/store-at-0032.sql"), "utf8");
const KNOWN = readMigrations(MIGRATIONS, tables);
const NAMES = KNOWN.map(({ name }) => name);

let folder: string;
let engine: OpenStore;
let made = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "almanac-migrate-"));
  engine = await openTestStore();
});
afterAll(async () => {
  for (let number = 1; number <= made; number += 1)
    await engine.run(fromDefinition(`DROP DATABASE migrated_${number} SYNC`));
  await engine.close();
  rmSync(folder, { recursive: true });
});

async function openEmpty(): Promise<OpenStore> {
  made += 1;
  const database = `migrated_${made}`;
  await engine.run(fromDefinition(`CREATE DATABASE ${database}`));
  return openStore({ address: { ...engine.address, database } });
}

/** Opens a store with a journal up to a migration, and rows in two tables. */
async function openAt(newest: number): Promise<OpenStore> {
  const store = await openEmpty();
  for (const text of AT_32.trim().split(";\n")) await store.run(fromDefinition(text.replace(/;$/, "")));
  await store.run(
    sql`CREATE TABLE schema_migrations (number UInt32, name String, digest String, applied_at DateTime('UTC') DEFAULT now('UTC')) ENGINE = ReplacingMergeTree ORDER BY number`,
  );
  await store.run(
    fromDefinition(
      `INSERT INTO schema_migrations (number, name, digest) SELECT number + 1, concat('of before ', toString(number)), 'of before' FROM numbers(${newest})`,
    ),
  );
  for (const name of ["wallet_entries", "wallet_entries_by_wallet"])
    await store.run(
      fromDefinition(
        `INSERT INTO ${name} (wallet, day, token_id, shares, bought_usd, version) SELECT toFixedString(char(number % 5), 20), toDate('2026-06-01') + number, toUInt256(number % 7), number, number / 4, number FROM numbers(60)`,
      ),
    );
  return store;
}

const entries = table("wallet_entries");
const LIST = columnsIn(entries, "wallet_entries_by_wallet").join(", ");
const rowsOf = (store: OpenStore, name: string) =>
  store.rows(fromDefinition(`SELECT ${LIST} FROM ${name} FINAL ORDER BY ALL`));
const journalOf = (store: OpenStore) =>
  store.rows<{ number: number; name: string }>(
    sql`SELECT number, name, digest, applied_at FROM schema_migrations ORDER BY number`,
  );
const entryOf = (shares: string) => ({ wallet: `0x${"0".repeat(39)}9`, day: "2026-06-01", token_id: "1", shares });
const ownSchema = (store: OpenStore) => schemaOf(store, store.address.database);
const everything = async (store: OpenStore) => [
  await ownSchema(store),
  await journalOf(store),
  await rowsOf(store, "wallet_entries"),
  await rowsOf(store, "wallet_entries_by_wallet"),
];

test("an empty store gets the same schema as an older store that is migrated", async () => {
  const [empty, before] = [await openEmpty(), await openAt(32)];
  expect(await migrate(empty, MIGRATIONS, tables)).toEqual(NAMES);
  expect((await journalOf(empty)).map(({ name }) => name)).toEqual(NAMES);
  expect(await migrate(before, MIGRATIONS, tables)).toEqual(NAMES.slice(1));
  const schema = await ownSchema(empty);
  const gone = KNOWN.flatMap(({ statements }) => statements).filter((text) => /^DROP TABLE/m.test(text)).length;
  expect(schema).toHaveLength(AT_32.trim().split("\n").length - gone);
  expect(schema).toEqual(await ownSchema(before));
  for (const store of [empty, before]) expect(await migrate(store, MIGRATIONS, tables)).toEqual([]);
  await Promise.all([empty.close(), before.close()]);
});

test("opens a store at the baseline unchanged, and continues with its rows", async () => {
  const store = await openAt(32);
  const none = join(folder, "none");
  mkdirSync(none);
  const before = await everything(store);
  const rows = await rowsOf(store, "wallet_entries");
  expect(rows).toHaveLength(60);
  expect(await migrate(store, none, tables)).toEqual([]);
  expect(await everything(store)).toEqual(before);
  await migrate(store, MIGRATIONS, tables);
  for (const name of ["wallet_entries", "wallet_entries_by_wallet"]) expect(await rowsOf(store, name)).toEqual(rows);
  expect(await store.insert(entries, [entryOf("1")])).toMatchObject({ stored: 1 });
  expect(await store.insert(entries, [entryOf("1")])).toMatchObject({ stored: 0 });
  expect(await store.insert(entries, [entryOf("2")])).toMatchObject({ stored: 1 });
  expect(await rowsOf(store, "wallet_entries")).toHaveLength(61);
  expect(await rowsOf(store, "wallet_entries_by_wallet")).toEqual(await rowsOf(store, "wallet_entries"));
  await store.close();
});

test("finishes after it was stopped at any statement, each time further", async () => {
  const [store, other] = [await openAt(32), await openAt(32)];
  const sent = new Set<string>();
  let isStopped = false;
  const stopping: Runner = {
    rows: store.rows,
    run: async (statement) => {
      if (isStopped) throw new Error("stopped");
      await store.run(statement);
      const key = JSON.stringify(statement);
      isStopped = !key.includes("CREATE TABLE IF NOT EXISTS schema_migrations") && !sent.has(key);
      sent.add(key);
    },
  };
  const attempt = () => applyMissing([{ journal: stopping, rows: stopping }], KNOWN, { isReplicated: false });
  let stops = 0;
  while (
    await attempt().then(
      () => isStopped,
      () => true,
    )
  )
    [stops, isStopped] = [stops + 1, false];
  expect(stops).toBe(KNOWN.slice(1).reduce((sum, { statements }) => sum + statements.length + 1, 0));
  await migrate(other, MIGRATIONS, tables);
  expect(await ownSchema(store)).toEqual(await ownSchema(other));
  expect(await rowsOf(store, "wallet_entries")).toEqual(await rowsOf(other, "wallet_entries"));
  expect((await journalOf(store)).map(({ name }) => name)).toEqual((await journalOf(other)).map(({ name }) => name));
  await Promise.all([store.close(), other.close()]);
});

test("rejects a store older than the baseline with instructions, and leaves it unchanged", async () => {
  for (const newest of [1, 31]) {
    const store = await openAt(newest);
    const before = await everything(store);
    await expect(migrate(store, MIGRATIONS, tables)).rejects.toThrow(
      `the store is at migration ${newest}, and this version upgrades only stores at 32 or later: run 'almanac migrate' of commit dfcba548 first, then of this version`,
    );
    expect(await everything(store)).toEqual(before);
    await store.close();
  }
});

test("applies a numbered file once, and rejects a store if the file later changes or is missing", async () => {
  const store = await openEmpty();
  await migrate(store, MIGRATIONS, tables);
  const own = join(folder, "own");
  const name = withMigration(own, "made-up", "ALTER TABLE book_events ADD COLUMN made_up UInt8;\n");
  expect(await migrate(store, own, tables)).toEqual([name]);
  expect(await migrate(store, own, tables)).toEqual([]);
  const [added] = await store.rows(
    sql`SELECT type FROM system.columns WHERE database = currentDatabase() AND table = 'book_events' AND name = 'made_up'`,
  );
  expect(added).toEqual({ type: "UInt8" });
  writeFileSync(join(own, `${name}.sql`), "ALTER TABLE book_events ADD COLUMN made_up UInt16;\n");
  await expect(migrate(store, own, tables)).rejects.toThrow(/was changed after it was applied/);
  const number = Number(name.slice(0, 4));
  await expect(migrate(store, MIGRATIONS, tables)).rejects.toThrow(
    `the store is at migration ${number}, but this version knows only ${number - 1}: use a newer version`,
  );
  await store.close();
});

test("requires file numbers to begin after the baseline without gaps", () => {
  for (const file of ["0032-again.sql", "0034-later.sql"]) {
    const wrong = join(folder, file);
    mkdirSync(wrong);
    writeFileSync(join(wrong, file), "SELECT 1;\n");
    expect(() => readMigrations(wrong, tables)).toThrow(`migration ${file} is out of order`);
  }
});

test("migrating engines together gives a new one everything, and the others what they lack", async () => {
  const [before, added] = [await openAt(32), await openEmpty()];
  const known = readMigrations(MIGRATIONS, tables);
  const engines = [added, before].map((each) => ({ journal: each, rows: each }));
  const applied = await applyMissing(engines, known, { isReplicated: false });
  expect(applied.map(({ name }) => name)).toEqual(NAMES);
  expect((await journalOf(added)).map(({ name }) => name)).toEqual(NAMES);
  expect(await journalOf(before)).toHaveLength(32 + NAMES.length - 1);
  expect(await ownSchema(added)).toEqual(await ownSchema(before));
  await Promise.all([before.close(), added.close()]);
});

test("recreates what another version left of an interrupted creation", async () => {
  const store = await openEmpty();
  await store.run(sql`CREATE TABLE wallet_entries (wallet String) ENGINE = MergeTree ORDER BY wallet`);
  await store.run(sql`CREATE TABLE of_somebody_else (name String) ENGINE = MergeTree ORDER BY name`);
  await migrate(store, MIGRATIONS, tables);
  // The unknown table is still there.
  await store.run(sql`DROP TABLE of_somebody_else SYNC`);
  expect(await ownSchema(store)).toEqual(await ownSchema(engine));
  await store.close();
});

test("finishes a creation during which the engine was killed at the next start, and leaves no turn taken", async () => {
  const columns = join(folder, "columns");
  const { address, pid } = await startEngine(columns);
  const first = await openStore({ address });
  const count = async (): Promise<number> => {
    const [row] = await first.rows<{ n: number }>(
      sql`SELECT toUInt32(count()) AS n FROM system.tables WHERE database = currentDatabase()`,
    );
    return row?.n ?? 0;
  };
  const ended = migrate(first, MIGRATIONS, tables).then(
    () => "made",
    () => "cut off",
  );
  while ((await count()) < 12);
  process.kill(pid, "SIGKILL");
  expect(await ended).toBe("cut off");
  await first.close();
  const next = await openStore({ folder: columns });
  const turns = sql`SELECT name FROM system.tables WHERE startsWith(name, 'schema_turn_')`;
  expect(await next.rows(turns)).toEqual([]);
  const left = await ownSchema(next);
  expect(left.length).toBeGreaterThan(0);
  expect(left.length).toBeLessThan(tables.flatMap(createStatements).length);
  expect(await migrate(next, MIGRATIONS, tables)).toEqual(NAMES);
  expect(await ownSchema(next)).toEqual(await ownSchema(engine));
  expect(await next.rows(turns)).toEqual([]);
  await next.close();
});
