import { openCheckpointFolder } from "../../src/ingest/fold/checkpoints.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { runCommand } from "citty";
import { datasets, tables } from "../../src/catalogue.ts";
import { readConfig } from "../../src/config.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import { backUpSide } from "../../src/main/backup/back-up-side.ts";
import { findLastBackup } from "../../src/main/backup/choose-backup.ts";
import { restoreSide } from "../../src/main/backup/restore-side.ts";
import { openSide, type Side } from "../../src/main/backup/open-side.ts";
import { requireOwnRows } from "../../src/main/own-rows.ts";
import { restoreCommand } from "../../src/main/restore-command.ts";
import { openRecords } from "../../src/records/records.ts";
import { createBackup } from "../../src/store/backup/create-backup.ts";
import { listBackups, pruneBackups, verifyBackup } from "../../src/store/backup/list-backups.ts";
import { listNames, nameOf, readManifest, writeManifest } from "../../src/store/backup/manifest.ts";
import { type MovedTable, toMovedTables } from "../../src/store/backup/moved-table.ts";
import { openStorage } from "../../src/store/backup/open-storage.ts";
import { openRowPipe } from "../../src/store/backup/row-pipe.ts";
import type { BackupStorage } from "../../src/store/backup/storage.ts";
import { isRestored } from "../../src/store/backup/verify-restored.ts";
import { openStore } from "../../src/store/open-store.ts";
import { layMigrated } from "../fixtures/open-migrated-store.ts";
import { deriveAll, openTestQuery } from "../fixtures/open-test-query.ts";
import { fill, insertSamples, kalshiTrade, market, SAMPLE_PARAMS, table } from "../fixtures/sample-rows.ts";
import { schemaOf } from "../fixtures/schema-of.ts";
import { DIFFERENT_TOPOLOGIES, stopTopologies, type Topology } from "../fixtures/topologies.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { startS3, type TestS3 } from "./start-s3.ts";

const SLOW = 600_000;
const SMALL_SLICES = 20_000;
const NOW = Date.parse("2026-11-22T12:00:00Z");

/** Inserts continue during each backup; without a pause the engine would do little else than store them. */
const GATHER_EVERY_MS = 1000;
/** Datasets compared after two moves: a few in ordinary runs, since the restore from a folder compares all. */
const REQUESTED_AFTER_MOVES = thoroughly(
  datasets,
  datasets.filter(({ agentId }) => [556, 573, 574].includes(agentId)),
);

const GROWN: MovedTable = {
  name: "grown",
  columns: [{ name: "block", stored: "UInt32" }],
  isVersioned: false,
  key: ["block"],
  orderBy: ["block"],
  stamp: undefined,
  copies: [],
  copiedColumns: {},
  isPassing: false,
};

let folder: string;
let side: Side;
let s3: TestS3;
let disk: BackupStorage;
let answers: Readonly<Record<number, unknown>>;
const opened: Side[] = [];

async function newSide(name: string): Promise<Side> {
  const dataDir = join(folder, name);
  await layMigrated(dataDir);
  const made = await openSide(readConfig({ ALMANAC_DATA_DIR: dataDir }));
  opened.push(made);
  return made;
}

async function answersOf({ store }: Side, requested = datasets): Promise<Readonly<Record<number, unknown>>> {
  const query = openTestQuery(store, () => NOW);
  const all: Record<number, unknown> = {};
  for (const { agentId } of requested)
    all[agentId] = await query.rows(agentId, { params: SAMPLE_PARAMS[agentId] ?? {} });
  return all;
}

const newest = async (storage: BackupStorage) => await readManifest(storage, (await listNames(storage)).at(-1) ?? "");

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "almanac-backup-"));
  s3 = await startS3();
  disk = openStorage(join(folder, "backups"), {});
  side = await newSide("source");
  await insertSamples(side.store);
  await deriveAll(side.store);
  await side.records.db
    .insertInto("accounts")
    .values({ id: "acc_1", name: "Ann", email: "a@almanac.invalid", plan: "pro" })
    .execute();
  answers = await answersOf(side);
}, SLOW);
afterAll(async () => {
  for (const one of opened) await one.close();
  await stopTopologies();
  await s3.stop();
  rmSync(folder, { recursive: true, force: true });
}, SLOW);

describe("a backup", { timeout: SLOW }, () => {
  test("restored from a folder gives the same answers for every dataset and the same records", async () => {
    expect(await findLastBackup(side.records)).toBeUndefined();
    const beganMs = Date.now();
    const made = await backUpSide(side, disk, { sliceBytes: SMALL_SLICES });
    const endedMs = (await findLastBackup(side.records))?.getTime();
    expect(endedMs).toBeGreaterThanOrEqual(beganMs);
    expect(endedMs).toBeLessThanOrEqual(Date.now());
    expect(made.new_files).toBe(made.files);
    const target = await newSide("target");
    const { verified, records } = await restoreSide(target, {
      storage: disk,
      manifest: await newest(disk),
      mayOverwrite: false,
    });
    expect(verified.filter((one) => !isRestored(one))).toEqual([]);
    expect(records).toMatchObject({ accounts: 1, plans: 3 });
    expect(await answersOf(target)).toEqual(answers);
    await expect(
      restoreSide(target, { storage: disk, manifest: await newest(disk), mayOverwrite: false }),
    ).rejects.toThrow(/--overwrite/);
    await target.store.alter(fromDefinition("DELETE FROM kalshi_trades WHERE 1"));
    const again = await restoreSide(target, { storage: disk, manifest: await newest(disk), mayOverwrite: true });
    expect(again.verified.every(isRestored)).toBe(true);
  });

  test("in S3 shares the files of unchanged rows with the previous one, and pruning keeps them", async () => {
    const bucket = openStorage(`s3://${s3.bucket}/almanac`, s3.place);
    const first = await backUpSide(side, bucket, { sliceBytes: SMALL_SLICES });
    await side.store.insert(table("polymarket_fills"), [fill(9000)]);
    await namedAfter(first);
    const second = await backUpSide(side, bucket, { sliceBytes: SMALL_SLICES });
    expect(second.rows).toBe(first.rows + 1);
    expect(second.new_files).toBe(2);
    const pruned = await pruneBackups(bucket, 1);
    expect([pruned.backups, pruned.files]).toEqual([[first.name], 2]);
    expect((await listBackups(bucket)).map(({ name }) => name)).toEqual([second.name]);
    expect(await verifyBackup(bucket, await newest(bucket))).toEqual([]);
    await bucket.close();
  });

  test("divides a slice that a backfill made large, in which the table grew little as a whole", async () => {
    const storage = openStorage(join(folder, "grown"), {});
    const records = { file: "records", bytes: 0, sha256: "", tables: {} };
    const begun = { program: "0", started_at: new Date(NOW).toISOString(), schema: 1, records_schema: 1, records };
    const rowsOfParts = async (numbers: string, name: string): Promise<number[]> => {
      await side.pipe.run(fromDefinition(`INSERT INTO grown SELECT ${numbers}`));
      const of = { storage, pipe: side.pipe, tables: [GROWN], cutMs: NOW, now: () => NOW, sliceBytes: 400 };
      const { manifest } = await createBackup({ ...of, begun: { ...begun, name } });
      return (manifest.tables[0]?.parts ?? []).map(({ rows }) => Number(rows));
    };
    await side.pipe.run(fromDefinition("CREATE TABLE grown (block UInt32) ENGINE = MergeTree ORDER BY block"));
    expect(await rowsOfParts("1000 + number FROM numbers(1000)", "2026-11-22T120000Z")).toEqual(Array(10).fill(100));
    const parts = await rowsOfParts("number FROM numbers(400)", "2026-11-22T120001Z");
    expect(parts).toEqual(Array(14).fill(100));
    await side.pipe.run(fromDefinition("DROP TABLE grown"));
    await storage.close();
  });

  test("contains rows stamped by a clock ahead of ours, since the cursors in its records may cover them", async () => {
    const storage = openStorage(join(folder, "ahead"), {});
    const before = await backUpSide(side, storage, { sliceBytes: SMALL_SLICES });
    await side.store.insert(table("polymarket_fills"), [fill(9500)]);
    await namedAfter(before);
    const ahead = `toDateTime64('${new Date(Date.now() + 1900).toISOString().replace("Z", "")}', 6, 'UTC')`;
    await side.store.alter(
      fromDefinition(
        `ALTER TABLE polymarket_fills UPDATE ingested_at = ${ahead} WHERE block_number = 10500 SETTINGS mutations_sync = 1`,
      ),
    );
    const made = await backUpSide(side, storage, { sliceBytes: SMALL_SLICES });
    expect(made.rows).toBe(before.rows + 1);
    await storage.close();
  });

  test("contains rows stamped after others of a clock that was far ahead and is right again", async () => {
    const storage = openStorage(join(folder, "far-ahead"), {});
    const before = await backUpSide(side, storage, { sliceBytes: SMALL_SLICES });
    const writer = await openStore({ address: side.store.address });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
    await writer.insert(table("kalshi_trades"), [kalshiTrade(40)]).finally(() => vi.useRealTimers());
    await writer.insert(table("kalshi_trades"), [kalshiTrade(41)]);
    await writer.close();
    await namedAfter(before);
    const made = await backUpSide(side, storage, { sliceBytes: SMALL_SLICES });
    expect(made.rows).toBe(before.rows + 2);
    await storage.close();
  });

  test("made after the clock was set back is the newest, and pruning keeps it", async () => {
    const storage = openStorage(join(folder, "set-back"), {});
    const before = await backUpSide(side, storage);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 86_400_000 });
    const made = await backUpSide(side, storage).finally(() => vi.useRealTimers());
    expect((await pruneBackups(storage, 1)).backups).toEqual([before.name]);
    expect(await listNames(storage)).toEqual([made.name]);
    await storage.close();
  });

  test("is made though the last one, or one that was begun since, has no readable manifest", async () => {
    const storage = openStorage(join(folder, "half-written"), {});
    const first = await backUpSide(side, storage);
    const text = readFileSync(join(folder, "half-written", first.name, "manifest.json"), "utf8");
    for (const [name, broken] of [
      [`${first.name}/manifest.json`, text.slice(0, text.length / 2)],
      ["2999-01-01T000000Z/draft.json", text.replace('"format": 1', '"format": 2')],
    ] as const) {
      await storage.put(name, Readable.from([Buffer.from(broken)]));
      const made = await backUpSide(side, storage);
      expect(await verifyBackup(storage, await readManifest(storage, made.name))).toEqual([]);
    }
    await storage.close();
  });

  test("that is damaged or incomplete is detected, and no row of a damaged file is stored", async () => {
    const manifest = await newest(disk);
    const part = manifest.tables.find(({ name }) => name === "kalshi_trades")?.parts[0];
    if (part === undefined) throw new Error("no part");
    const path = join(folder, "backups", part.file);
    const bytes = readFileSync(path);
    const other = Buffer.from(bytes);
    other[100] = (other[100] ?? 0) ^ 1;
    writeFileSync(path, other);
    expect((await verifyBackup(disk, manifest)).map(({ file }) => file)).toEqual([part.file]);
    const target = await newSide("damaged");
    const restore = () => restoreSide(target, { storage: disk, manifest, mayOverwrite: false });
    await expect(restore()).rejects.toThrow(part.file);
    expect(await target.store.rows(fromDefinition("SELECT 1 AS one FROM kalshi_trades"))).toEqual([]);
    writeFileSync(path, bytes);
    // The same command continues where it stopped.
    expect((await restore()).verified.every(isRestored)).toBe(true);
    await disk.remove(`${manifest.name}/manifest.json`);
    expect(await listNames(disk)).toEqual([]);
    await writeManifest(disk, manifest);
  });

  test("of a newer schema, or of one that no migration upgrades, is refused before the target is created", async () => {
    const manifest = await newest(disk);
    const before = await rowsOf(side);
    const restore = (change: object) =>
      restoreSide(side, { storage: disk, manifest: { ...manifest, ...change }, mayOverwrite: true });
    await expect(restore({ schema: manifest.schema + 1 })).rejects.toThrow(/newer version/);
    await expect(restore({ records_schema: manifest.records_schema + 1 })).rejects.toThrow(/newer version/);
    await expect(restore({ schema: 31 })).rejects.toThrow(/newest migrations are 31 .* of commit dfcba548/);
    expect(await rowsOf(side)).toEqual(before);
    const changed = openStorage(join(folder, "changed"), {});
    await writeManifest(changed, { ...manifest, schema: 31 });
    vi.stubEnv("ALMANAC_DATA_DIR", join(folder, "refused"));
    try {
      await expect(runCommand(restoreCommand, { rawArgs: [join(folder, "changed")] })).rejects.toThrow(
        /of commit dfcba548/,
      );
    } finally {
      vi.unstubAllEnvs();
    }
    expect(existsSync(join(folder, "refused"))).toBe(false);
  });

  test("of an older schema is restored, and its rows and records are migrated", async () => {
    const source = await newSide("older");
    const old = { name: "maker_usd", stored: "Decimal(18, 6)" };
    const gone = { ...GROWN, name: "kalshi_series" };
    for (const text of [
      `ALTER TABLE wallet_entries ADD COLUMN ${old.name} ${old.stored}`,
      "INSERT INTO wallet_entries (wallet, day, token_id, shares, maker_usd, version) SELECT toFixedString(char(number), 20), toDate('2026-06-01'), number, number, number / 4, 1 FROM numbers(60)",
      "INSERT INTO token_hours (token_id, hour, content, version) VALUES (1, '2026-06-01 00:00:00', 7, 1)",
      "CREATE TABLE kalshi_series (block UInt32) ENGINE = MergeTree ORDER BY block",
      "INSERT INTO kalshi_series VALUES (1)",
    ])
      await source.pipe.run(fromDefinition(text));
    const insert = { name: "kalshi-events", cursor: "1" };
    await source.records.db
      .insertInto("streams")
      .values([insert, { ...insert, name: "kalshi-trades" }])
      .execute();
    await source.records.db
      .insertInto("accounts")
      .values({ id: "acc_1", name: "Ann", email: "a@almanac.invalid", plan: "pro" })
      .execute();
    const storage = openStorage(join(folder, "older-backups"), {});
    const { records } = await backUpSide(source, storage).then(() => newest(storage));
    const moved = toMovedTables(tables);
    const entries = moved.find(({ name }) => name === "wallet_entries");
    if (entries === undefined) throw new Error("no wallet_entries");
    const wider = { ...entries, columns: [...entries.columns, old] };
    const others = moved.filter((each) => each !== entries);
    const begun = { name: "2099-01-01T000000Z", program: "0", started_at: new Date(NOW).toISOString(), schema: 32 };
    const { manifest } = await createBackup({
      storage,
      pipe: source.pipe,
      tables: [...others, wider, gone],
      begun: { ...begun, records_schema: 22, records },
      cutMs: Date.now() + 60_000,
      now: () => NOW,
    });
    const target = await newSide("from-older");
    const { verified } = await restoreSide(target, { storage, manifest, mayOverwrite: false });
    expect(verified.filter((one) => !isRestored(one))).toEqual([]);
    const list = fromDefinition("SELECT wallet, shares FROM wallet_entries FINAL ORDER BY wallet");
    expect(await target.store.rows(list)).toHaveLength(60);
    expect(await target.store.rows(list)).toEqual(await source.store.rows(list));
    expect(await target.store.rows(fromDefinition("SELECT content FROM token_hours"))).toEqual([{ content: "0" }]);
    const schema = await schemaOf(target.store, target.store.address.database);
    expect(schema).toEqual(await schemaOf(side.store, side.store.address.database));
    const streams = await target.records.db.selectFrom("streams").select(["name", "cursor"]).execute();
    expect(streams).toEqual([{ name: "kalshi-trades", cursor: 1 }]);
    expect(await target.records.db.selectFrom("accounts").select("id").execute()).toEqual([{ id: "acc_1" }]);
    expect(await requireOwnRows(target)).toBeUndefined();
    await storage.close();
  });
});

describe("a store", { timeout: SLOW }, () => {
  test("moves to other engines, a cluster among them, and back by a backup during writes and a second one of the changes", async () => {
    let from = side;
    const [embedded, ...others] = DIFFERENT_TOPOLOGIES;
    if (embedded === undefined) throw new Error("no topology");
    for (const [step, topology] of [...others, embedded].entries()) {
      const { storage, reads } = countedStorage(join(folder, `moving-${step}`));
      const to = await sideOn(topology, `moved-${step}`);
      const gathering = gatherInto(from, 10_000 + step * 1000);
      const first = await backUpSide(from, storage);
      await restoreSide(to, { storage, manifest: await newest(storage), mayOverwrite: false });
      await gathering.stop();
      for (const name of ["polymarket_fills", "polymarket_fills_by_wallet", "polymarket_fills_by_token"])
        await from.store.alter(fromDefinition(`DELETE FROM ${name} WHERE block_number = ${1001 + step}`));
      await namedAfter(first);
      await backUpSide(from, storage);
      const manifest = await newest(storage);
      reads.length = 0;
      const { verified } = await restoreSide(to, { storage, manifest, mayOverwrite: true });
      expect([topology.name, verified.filter((one) => !isRestored(one))]).toEqual([topology.name, []]);
      const files = manifest.tables.flatMap(({ parts }) => parts.map(({ file }) => file));
      const read = new Set(reads);
      expect(files.filter((file) => read.has(file)).length).toBeGreaterThan(0);
      expect(files.filter((file) => read.has(file)).length).toBeLessThan(files.length / 2);
      expect([topology.name, await rowsOf(to)]).toEqual([topology.name, await rowsOf(from)]);
      if (topology === embedded)
        expect(await answersOf(to, REQUESTED_AFTER_MOVES)).toEqual(await answersOf(from, REQUESTED_AFTER_MOVES));
      from = to;
    }
  });
});

/** Inserts fills and versions of markets, one after another, until it is stopped. */
function gatherInto({ store }: Side, first: number): { readonly stop: () => Promise<void> } {
  const over = new AbortController();
  const gathering = (async () => {
    for (let index = first; !over.signal.aborted; index += 2) {
      await store.insert(table("polymarket_fills"), [fill(index), fill(index + 1)]);
      await store.insert(table("polymarket_markets"), [market(index % 7, { volume_total: String(index) })]);
      await sleep(GATHER_EVERY_MS, undefined, { signal: over.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      over.abort();
      await gathering;
    },
  };
}

async function sideOn(topology: Topology, name: string): Promise<Side> {
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  const store = await topology.open();
  const records = await openRecords({ dataDir });
  const pipe = openRowPipe(() => store.address);
  const checkpoints = openCheckpointFolder();
  const close = async (): Promise<void> => {
    checkpoints.close();
    await pipe.close();
    await records.close();
    await store.close();
  };
  const made: Side = { store, records, checkpoints, pipe, dataDir, folder: dataDir, migrated: [], close };
  opened.push(made);
  return made;
}

/** Opens a folder, and collects the names of the files read from it. */
function countedStorage(place: string): { readonly storage: BackupStorage; readonly reads: string[] } {
  const counted = openStorage(place, {});
  const reads: string[] = [];
  const get: BackupStorage["get"] = (name) => {
    reads.push(name);
    return counted.get(name);
  };
  return { storage: { ...counted, get }, reads };
}

/** Counts the rows of some tables with the engine. */
async function rowsOf({ store }: Side): Promise<unknown> {
  const counts: Record<string, unknown> = {};
  for (const name of ["polymarket_fills", "polymarket_fills_by_wallet", "polymarket_markets FINAL", "kalshi_trades"])
    counts[name] = await store.rows(fromDefinition(`SELECT toUInt32(count()) AS n FROM ${name}`));
  return counts;
}

/** Waits until another backup would have another name: backups are named by the second. */
const namedAfter = ({ name }: { readonly name: string }): Promise<void> =>
  expect.poll(() => nameOf(Date.now()), { interval: 20 }).not.toBe(name);
