import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tables } from "../../../src/catalogue.ts";
import { bind, fromDefinition, sql, type Sql } from "../../../src/definition/sql.ts";
import { coolTables } from "../../../src/store/cold/cool-tables.ts";
import { nodeForm } from "../../../src/store/apply-missing.ts";
import { migrate, requireUpgradable } from "../../../src/store/migrate.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { readMigrations } from "../../../src/store/migrations.ts";
import { readLines } from "../../../src/store/connection.ts";
import { toNumbered } from "../../../src/store/statement.ts";
import { shardingKeys } from "../../../src/store/cluster/migrate-cluster.ts";
import { thoroughly } from "../../../../../scripts/vitest/test-levels.ts";
import { MIGRATIONS } from "../../fixtures/open-test-store.ts";
import { BOOKS_ANEW, withMigration } from "../../fixtures/with-migration.ts";
import { migrateCluster, nodesOf, onEach, openClusterStore } from "./open-cluster-store.ts";
import { startCluster, type TestCluster } from "./start-cluster.ts";

const SOME_BOOKS = sql`INSERT INTO book_events (instrument, ts, seq, kind, venue) SELECT concat('B', toString(number)), toDateTime64('2026-11-01 00:00:00', 3, 'UTC') + number * 86400, number, 'change', 'kalshi' FROM numbers(30)`;

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster({ shards: 2, replicas: 1 });
});
afterAll(() => cluster.stop());

test("two programs that migrate concurrently leave every node with each migration exactly once", async () => {
  const stores = await Promise.all([openClusterStore(cluster), openClusterStore(cluster)]);
  const known = readMigrations(MIGRATIONS, tables);
  const applied = await Promise.all(stores.map((store) => migrateCluster(store)));
  expect(applied.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([0, known.length]);
  const [store] = stores;
  if (store === undefined) throw new Error("no store");
  for (const node of nodesOf(store)) expect(node.migration).toBe(known.at(-1)?.number);
  const journals = await onEach<{ n: string }>(
    store,
    sql`SELECT concat(toString(count()), ' ', toString(uniqExact(number))) AS n FROM almanac.schema_migrations`,
  );
  for (const [row] of journals) expect(row?.n).toBe(`${known.length} ${known.length}`);
  await Promise.all(stores.map((each) => each.close()));
});

test("a migration that rebuilds a table restarts at its first statement, wherever it was interrupted", async () => {
  const store = await openClusterStore(cluster);
  const layouts = () =>
    onEach(
      store,
      sql`SELECT name, engine_full FROM system.tables WHERE database = currentDatabase() AND match(name, '^(book_events|price_changes)') ORDER BY name`,
    );
  const counts = () => onEach(store, sql`SELECT toUInt32(count()) AS n FROM book_events`);
  await Promise.all(nodesOf(store).map(({ shard }) => shard.send(toNumbered(SOME_BOOKS))));
  const [relaid, held] = [await layouts(), await counts()];
  const own = mkdtempSync(join(tmpdir(), "almanac-anew-"));
  const again = withMigration(own, "books-anew", BOOKS_ANEW);
  const number = Number(again.slice(0, 4));
  // Interrupted before its EXCHANGE, and, as in the store's own suite, after its end but before it was recorded.
  for (const isLeft of thoroughly([true, false], [true])) {
    if (isLeft)
      for (const { shard } of nodesOf(store))
        await shard.send(toNumbered(sql`CREATE TABLE book_events_anew AS book_events`));
    expect(await migrate(store, own, tables)).toEqual([again]);
    expect([await layouts(), await counts()]).toEqual([relaid, held]);
    for (const { connection } of nodesOf(store))
      await connection.send(
        toNumbered(
          sql`ALTER TABLE schema_migrations DELETE WHERE number = ${bind("UInt32", number)} SETTINGS mutations_sync = 1`,
        ),
      );
  }
  rmSync(own, { recursive: true });
  await store.close();
});

test("old rows move to cold storage on every node, also on one whose table was not changed", async () => {
  const store = await openClusterStore(cluster);
  const cooling = { place: { kind: "policy", policy: "tiered" }, afterDays: 40 } as const;
  const layouts = () =>
    onEach(
      store,
      sql`SELECT engine_full FROM system.tables WHERE name = 'book_events' AND database = currentDatabase()`,
    );
  const [before] = await layouts();
  expect(await coolTables(store, tables, cooling)).toEqual(["book_events"]);
  const cooled = await layouts();
  expect(cooled).not.toContainEqual(before);
  for (const { shard } of nodesOf(store)) {
    await shard.send(toNumbered(sql`ALTER TABLE book_events REMOVE TTL`));
    expect(await layouts()).not.toEqual(cooled);
    expect(await coolTables(store, tables, cooling)).toEqual(["book_events"]);
    expect(await layouts()).toEqual(cooled);
  }
  expect(await coolTables(store, tables, cooling)).toEqual([]);
  await Promise.all(nodesOf(store).map(({ shard }) => shard.send(toNumbered(sql`ALTER TABLE book_events REMOVE TTL`))));
  await store.close();
});

test("nodes at the baseline are migrated in their shard tables and in the Distributed tables", async () => {
  const store = await openClusterStore(cluster);
  const columns = () =>
    Promise.all(
      nodesOf(store).map(({ connection }) =>
        readLines(
          connection,
          sql`SELECT database, name FROM system.columns WHERE table = 'wallet_entries' AND database IN ('almanac', 'almanac_shard') ORDER BY database, position`,
        ),
      ),
    );
  const defined = await columns();
  for (const { connection, shard } of nodesOf(store)) {
    await shard.send(toNumbered(sql`ALTER TABLE wallet_entries ADD COLUMN maker_usd Decimal64(6) AFTER bought_usd`));
    await connection.send(
      toNumbered(sql`ALTER TABLE schema_migrations DELETE WHERE number > 32 SETTINGS mutations_sync = 1`),
    );
  }
  expect(await columns()).not.toEqual(defined);
  expect(await migrateCluster(store)).toEqual([
    "0033-no-maker-notional-of-entries",
    "0034-lighter-raw-payloads",
    "0035-no-kalshi-events-and-series",
    "0036-no-large-merges-of-raw-payloads",
    "0037-compressed-hashes",
    "0038-candles-without-hashes",
  ]);
  expect(await columns()).toEqual(defined);
  await store.close();
});

test("rejects a cluster in which one node is at a migration before the baseline", async () => {
  const store = await openClusterStore(cluster);
  const last = nodesOf(store)[1];
  const write = (statement: Sql) => last?.connection.send(toNumbered(statement));
  const journal = sql`SELECT number, name, digest FROM almanac.schema_migrations FINAL ORDER BY number`;
  const before = await onEach<{ number: number; name: string; digest: string }>(store, journal);
  await write(sql`TRUNCATE TABLE schema_migrations`);
  await write(sql`INSERT INTO schema_migrations (number, name, digest) VALUES (31, 'of before', '')`);
  for (const refuse of [migrate, requireUpgradable])
    await expect(refuse(store, MIGRATIONS, tables)).rejects.toThrow(/is at migration 31, .* commit dfcba548/);
  await write(sql`TRUNCATE TABLE schema_migrations`);
  for (const { number, name, digest } of before[1] ?? [])
    await write(
      sql`INSERT INTO schema_migrations (number, name, digest) VALUES (${bind("UInt32", number)}, ${bind("String", name)}, ${bind("String", digest)})`,
    );
  expect(await migrateCluster(store)).toEqual([]);
  await store.close();
});

test("every table is queried through a Distributed one that distributes it by its sharding key", async () => {
  const store = await openClusterStore(cluster);
  const keys = shardingKeys(tables);
  const engines = await store.rows<{ name: string; engine: string }>(
    sql`SELECT name, engine_full AS engine FROM system.tables WHERE database = 'almanac' AND engine = 'Distributed' ORDER BY name`,
  );
  expect(engines.map(({ name }) => name)).toEqual([...keys.keys()].toSorted());
  for (const { name, engine } of engines)
    expect(engine).toBe(`Distributed('almanac', 'almanac_shard', '${name}', ${keys.get(name)})`);
  await store.close();
});

test("versions of a row are on one shard: sharding keys of such tables use key columns only", () => {
  const keys = shardingKeys(tables);
  for (const { name, engine, key, columns, copies } of tables.filter((table) => table.engine !== "MergeTree")) {
    for (const stored of [name, ...Object.keys(copies ?? {})]) {
      const read = Object.keys(columns).filter((column) => new RegExp(`\\b${column}\\b`).test(keys.get(stored) ?? ""));
      expect(read.length, `${stored} ${engine}`).toBeGreaterThan(0);
      expect(key, `${stored} ${engine}`).toEqual(expect.arrayContaining(read));
    }
  }
});

test("the engine parses the replicated form of every table (not run: this build has no replication)", async () => {
  const [node] = cluster.nodes;
  if (node === undefined) throw new Error("no node");
  const store = await openStore({ address: node.address });
  const statements = readMigrations(MIGRATIONS, tables).flatMap((one) => one.statements);
  const created = statements.map((text) => nodeForm(text, true)).filter((text) => text.startsWith("CREATE TABLE"));
  expect(created.length).toBeGreaterThan(tables.length);
  for (const text of created) {
    expect(text).toMatch(
      /^ENGINE = Replicated(Replacing)?MergeTree\('\/clickhouse\/tables\/\{shard\}\/\{database\}\/\{table\}', '\{replica\}'(, version)?\)$/m,
    );
    await store.read(fromDefinition(`EXPLAIN AST ${text}`));
  }
  // Keeper keeps a path until the table is really dropped.
  expect(nodeForm("DROP TABLE IF EXISTS book_events_anew", true)).toMatch(/ SYNC$/);
  await store.close();
});

test("rejects addresses that do not match the cluster, with a message that says how to fix it", async () => {
  const [first, second] = cluster.nodes.map(({ address }) => address);
  if (first === undefined || second === undefined) throw new Error("no nodes");
  const open = (name: string, nodes: (typeof first)[]) => openStore({ cluster: name, nodes });
  await expect(open("almanac", [first])).rejects.toThrow(/names 1 nodes, but the cluster almanac has 2/);
  await expect(open("almanac", [first, first])).rejects.toThrow(/which are the same node/);
  await expect(open("elsewhere", [first, second])).rejects.toThrow(/has no cluster elsewhere/);
  await expect(open("almanac", [first, { ...second, password: "wrong" }])).rejects.toThrow(/refuses/);
});

test("rejects replicas that do not replicate from each other", async () => {
  const two = await startCluster({ shards: 1, replicas: 2 });
  await expect(openClusterStore(two)).rejects.toThrow(/set internal_replication to true/);
  await two.stop();
});

test("does not accept a node that lost its disk as one that has its rows", async () => {
  const store = await openClusterStore(cluster);
  const lost = nodesOf(store)[1];
  for (const name of ["almanac", "almanac_shard"])
    await lost?.bare.send(toNumbered(fromDefinition(`DROP DATABASE ${name} SYNC`)));
  await expect(migrateCluster(store)).rejects.toThrow(/its rows are lost/);
  await store.close();
});
