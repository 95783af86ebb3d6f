import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { sql } from "../../src/definition/sql.ts";
import { backUpSide } from "../../src/main/backup/back-up-side.ts";
import { openSide, type Side } from "../../src/main/backup/open-side.ts";
import { restoreSide } from "../../src/main/backup/restore-side.ts";
import { listNames, readManifest, type Manifest } from "../../src/store/backup/manifest.ts";
import { openRestoreJournal } from "../../src/store/backup/restore-tables.ts";
import { openStorage } from "../../src/store/backup/open-storage.ts";
import { isRestored } from "../../src/store/backup/verify-restored.ts";
import { layMigrated } from "../fixtures/open-migrated-store.ts";
import { insertSamples, kalshiTrade, table } from "../fixtures/sample-rows.ts";

const SLOW = 600_000;

let folder: string;
let manifest: Manifest;
const storage = () => openStorage(join(folder, "backups"), {});
const opened: Side[] = [];

async function newSide(name: string): Promise<Side> {
  const dataDir = join(folder, name);
  await layMigrated(dataDir);
  const side = await openSide(readConfig({ ALMANAC_DATA_DIR: dataDir }));
  opened.push(side);
  return side;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "almanac-restore-again-"));
  const source = await newSide("source");
  await insertSamples(source.store);
  await backUpSide(source, storage());
  manifest = await readManifest(storage(), (await listNames(storage())).at(-1) ?? "");
}, SLOW);
afterAll(async () => {
  for (const side of opened) await side.close();
  rmSync(folder, { recursive: true, force: true });
}, SLOW);

describe("a restore", { timeout: SLOW }, () => {
  test("of a backup of which a file is gone or cut short leaves its target as it is", async () => {
    const side = await newSide("unchanged");
    await side.store.insert(table("kalshi_trades"), [kalshiTrade(76)]);
    const path = join(folder, "backups", manifest.records.file);
    const bytes = readFileSync(path);
    for (const left of [undefined, bytes.subarray(0, bytes.length - 1)]) {
      rmSync(path, { force: true });
      if (left !== undefined) writeFileSync(path, left);
      const restoring = restoreSide(side, { storage: storage(), manifest, mayOverwrite: true });
      await expect(restoring).rejects.toThrow(manifest.records.file);
      expect(await side.store.rows(sql`SELECT trade_id FROM kalshi_trades`)).toHaveLength(1);
      expect(existsSync(join(folder, "unchanged/moves/restore.json"))).toBe(false);
    }
    writeFileSync(path, bytes);
  });

  test("goes on without the journal of an earlier one that is cut short", () => {
    const file = join(folder, "cut-short.json");
    writeFileSync(file, '{"backup":"2026');
    expect(openRestoreJournal(file, "2026-11-22T120000Z")).toMatchObject({ tables: {}, isGoingOn: false });
  });

  test("removes what was made of the replaced rows, and run again a difference that it found in the end", async () => {
    const side = await newSide("target");
    let writing: Promise<unknown> | undefined;
    // Once a row is being written, the comparison waits for it.
    const rows: Side["store"]["rows"] = async (statement, reading) => {
      await writing;
      return side.store.rows(statement, reading);
    };
    const target: Side = { ...side, store: { ...side.store, rows } };
    const made = ["serving", "checkpoints"].map((name) => join(folder, "target", name));
    for (const each of made) {
      mkdirSync(each, { recursive: true });
      writeFileSync(join(each, "file"), "of the replaced rows");
    }
    const first = await restoreSide(target, {
      storage: storage(),
      manifest,
      mayOverwrite: false,
      // All tables are restored by then, and this one is compared after the first.
      onProgress: ({ phase }) => {
        if (phase === "compare") writing ??= side.store.insert(table("kalshi_trades"), [kalshiTrade(77)]);
      },
    });
    await writing;
    expect(made.filter((each) => existsSync(each))).toEqual([]);
    expect(first.verified.filter((one) => !isRestored(one)).map((one) => one.table)).toEqual(["kalshi_trades"]);
    const second = await restoreSide(target, { storage: storage(), manifest, mayOverwrite: false });
    expect(second.verified.filter((one) => !isRestored(one))).toEqual([]);
  });
});
