import { existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bind, sql } from "../../src/definition/sql.ts";
import { readConfig } from "../../src/config.ts";
import { backUpSide } from "../../src/main/backup/back-up-side.ts";
import { openSide, type Side } from "../../src/main/backup/open-side.ts";
import { pruneBackups, verifyBackup } from "../../src/store/backup/list-backups.ts";
import { readManifest, type BackupPart } from "../../src/store/backup/manifest.ts";
import { openStorage } from "../../src/store/backup/open-storage.ts";
import type { BackupStorage } from "../../src/store/backup/storage.ts";
import { layMigrated } from "../fixtures/open-migrated-store.ts";
import { insertSamples } from "../fixtures/sample-rows.ts";

const SLOW = 600_000;

let folder: string;
let side: Side;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "almanac-left-files-"));
  const dataDir = join(folder, "source");
  await layMigrated(dataDir);
  side = await openSide(readConfig({ ALMANAC_DATA_DIR: dataDir }));
  await insertSamples(side.store);
}, SLOW);
afterAll(async () => {
  await side.close();
  rmSync(folder, { recursive: true, force: true });
}, SLOW);

let minutes = 0;

/** Makes a backup a minute after the one before it, because its name is a time. */
async function backUp(storage: BackupStorage, signal?: AbortSignal): Promise<string> {
  minutes += 1;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes * 60_000 });
  const { name } = await backUpSide(side, storage, { signal }).finally(() => vi.useRealTimers());
  return name;
}

const namesIn = async (storage: BackupStorage): Promise<string[]> => (await storage.list("")).map(({ name }) => name);

test.each(["", "a"])(
  "rows with long texts are read unchanged, wherever the engine divides them (after %j)",
  async (begin) => {
    const rows = await side.pipe.rows(sql`SELECT concat(${bind("String", begin)}, repeat('é', 500000)) AS said`);
    expect(rows).toEqual([{ said: `${begin}${"é".repeat(500_000)}` }]);
  },
);

describe("files of backups", { timeout: SLOW }, () => {
  test("that are gone or cut are written again by the next backup, although their rows are the same", async () => {
    const storage = openStorage(join(folder, "damaged"), {});
    const first = await readManifest(storage, await backUp(storage));
    const [gone, cut] = first.tables.flatMap(({ parts }): BackupPart[] => parts);
    if (gone === undefined || cut === undefined) throw new Error("there are no two parts");
    await storage.remove(gone.file);
    truncateSync(join(storage.place, cut.file), cut.bytes - 1);
    expect(await verifyBackup(storage, first)).toHaveLength(2);
    expect(await verifyBackup(storage, await readManifest(storage, await backUp(storage)))).toEqual([]);
  });

  test("of an interrupted backup are deleted once a later one is complete, the control records among them", async () => {
    const storage = openStorage(join(folder, "interrupted"), {});
    await backUp(storage);
    await expect(backUp(storage, AbortSignal.abort(new Error("cut off")))).rejects.toThrow("cut off");
    const interrupted = (await namesIn(storage)).find((name) => name.endsWith("/draft.json"))?.split("/")[0];
    expect(interrupted).toBeDefined();
    const last = await backUp(storage);
    await pruneBackups(storage, 1);
    const others = (await namesIn(storage)).filter((name) => !name.startsWith("parts/") && !name.startsWith(last));
    expect(others).toEqual([]);
    expect(await verifyBackup(storage, await readManifest(storage, last))).toEqual([]);
  });

  test("of a process killed while it wrote one are deleted once a later one is complete", async () => {
    const storage = openStorage(join(folder, "killed"), {});
    const first = await readManifest(storage, await backUp(storage));
    const [part] = first.tables.flatMap(({ parts }): BackupPart[] => parts);
    const left = [`${part?.file}.part`, `${first.name}/draft.json.part`].map((file) => join(storage.place, file));
    for (const path of left) writeFileSync(path, "the beginning");
    const last = await backUp(storage);
    await pruneBackups(storage, 1);
    expect(left.filter((path) => existsSync(path))).toEqual([]);
    expect(await verifyBackup(storage, await readManifest(storage, last))).toEqual([]);
  });
});
