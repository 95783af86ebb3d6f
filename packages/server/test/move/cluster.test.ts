import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig, type Config } from "../../src/config.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import { backUpSide } from "../../src/main/backup/back-up-side.ts";
import { restoreSide } from "../../src/main/backup/restore-side.ts";
import { copySides, type Copied } from "../../src/main/copy/copy-sides.ts";
import { openSide, type Side } from "../../src/main/copy/open-side.ts";
import { isEqual } from "../../src/store/copy/compare.ts";
import { listNames, readManifest } from "../../src/store/backup/manifest.ts";
import { openStorage } from "../../src/store/backup/open-storage.ts";
import { isRestored } from "../../src/store/backup/verify-restored.ts";
import { openMigratedStore } from "../fixtures/open-migrated-store.ts";
import { fill, insertSamples, table } from "../fixtures/sample-rows.ts";
import { startCluster, type TestCluster } from "../scale/cluster/start-cluster.ts";

const SLOW = 900_000;

let folder: string;
let cluster: TestCluster;
let source: Side;
let target: Side;
let places: { readonly embedded: Config; readonly cluster: Config };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "almanac-move-"));
  cluster = await startCluster({ shards: 2, replicas: 2 });
  places = {
    embedded: readConfig({ ALMANAC_DATA_DIR: join(folder, "embedded") }),
    cluster: readConfig({
      ALMANAC_DATA_DIR: join(folder, "cluster"),
      CLICKHOUSE_URL: cluster.url,
      CLICKHOUSE_CLUSTER: cluster.name,
    }),
  };
  await (await openMigratedStore(join(folder, "embedded", "columns"))).close();
  source = await openSide(places.embedded);
  await insertSamples(source.store);
  target = await openSide(places.cluster);
}, SLOW);
afterAll(async () => {
  await source.close();
  await target.close();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}, SLOW);

const WISHES = { passes: 3, isOnlyCompared: false, mayOverwrite: true };
const differing = ({ compared }: Copied) =>
  compared
    .filter((one) => !isEqual(one))
    .map(({ table: { name }, differences, copies }) => [name, differences, copies]);

describe("two shards of two replicas", { timeout: SLOW }, () => {
  test("take an embedded store with everything in it, follow it, and give it back", async () => {
    const there = { ...WISHES, source: places.embedded, target: places.cluster };
    expect(differing(await copySides(source, target, there))).toEqual([]);
    await source.store.insert(table("polymarket_fills"), [fill(700)]);
    for (const name of ["polymarket_fills", "polymarket_fills_by_wallet", "polymarket_fills_by_token"])
      await source.store.run(fromDefinition(`DELETE FROM ${name} WHERE block_number = 1000`));
    expect(differing(await copySides(source, target, there))).toEqual([]);
    await target.store.insert(table("polymarket_fills"), [fill(702)]);
    const back = { ...WISHES, source: places.cluster, target: places.embedded };
    expect(differing(await copySides(target, source, back))).toEqual([]);
    expect(await source.store.rows(fromDefinition("SELECT toUInt32(count()) AS n FROM polymarket_fills"))).toEqual([
      { n: 251 },
    ]);
  });

  test("are backed up, and restored from a backup", async () => {
    const disk = openStorage(join(folder, "backups"), {});
    await backUpSide(target, disk);
    const manifest = await readManifest(disk, (await listNames(disk)).at(-1) ?? "");
    const { verified } = await restoreSide(target, { storage: disk, manifest, mayOverwrite: true });
    expect(verified.filter((one) => !isRestored(one))).toEqual([]);
    expect(verified.find((one) => one.table === "polymarket_fills")?.store.rows).toBe("251");
  });
});
