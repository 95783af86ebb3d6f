import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql as recordsSql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { backUpSide } from "../../src/main/backup/back-up-side.ts";
import { restoreSide } from "../../src/main/backup/restore-side.ts";
import { openSide, type Side } from "../../src/main/backup/open-side.ts";
import { openEngines, type Engines } from "../../src/main/open-engines.ts";
import { bindRows, requireOwnRows } from "../../src/main/own-rows.ts";
import { listNames, readManifest } from "../../src/store/backup/manifest.ts";
import { openStorage } from "../../src/store/backup/open-storage.ts";
import type { BackupStorage } from "../../src/store/backup/storage.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import { embeddedSessions } from "../../src/records/embedded-sessions.ts";
import { recordsOver } from "../../src/records/records.ts";
import { layMigrated } from "../fixtures/open-migrated-store.ts";
import { fill, table } from "../fixtures/sample-rows.ts";

const SLOW = 600_000;
const NOT_WHOLE = /the rows are incomplete/;
const ANOTHER = /belong to another column store/;

let folder: string;
/** Backups of the rows gathered in "lost". */
let disk: BackupStorage;
const configOf = (name: string) => readConfig({ ALMANAC_DATA_DIR: join(folder, name) });
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "almanac-own-rows-"));
  disk = openStorage(join(folder, "backups"), {});
  for (const name of ["lost", "source"]) await layMigrated(join(folder, name));
  await using(openSide(configOf("lost")), async (side) => {
    await gather(side);
    await backUpSide(side, disk);
  });
}, SLOW);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

async function using<T extends Engines, R>(opening: Promise<T>, use: (engines: T) => Promise<R>): Promise<R> {
  const engines = await opening;
  try {
    return await use(engines);
  } finally {
    await engines.close();
  }
}

const newestOf = async (storage: BackupStorage) => await readManifest(storage, (await listNames(storage)).at(-1) ?? "");

const WRITER = { isWriter: true };
const starts = (name: string): Promise<void> =>
  using(openEngines(configOf(name), undefined, WRITER), () => Promise.resolve());
const loseRows = (name: string): void => rmSync(join(folder, name, "columns"), { recursive: true });

async function gather({ store, records }: Engines): Promise<void> {
  await store.insert(table("polymarket_fills"), [fill(1)]);
  await records.db
    .insertInto("streams")
    .values({ name: "polymarket-trades", cursor: JSON.stringify({ block: 1001 }) })
    .execute();
  await records.db
    .insertInto("accounts")
    .values({ id: "acc_1", name: "Ann", email: "a@almanac.invalid", plan: "pro" })
    .execute();
}

test(
  "records are refused with the rows of another store until a backup is restored",
  async () => {
    await starts("lost");

    loseRows("lost");
    await expect(starts("lost")).rejects.toThrow(ANOTHER);
    const manifest = await newestOf(disk);
    await using(openSide(configOf("lost"), { isAnyStore: true }), (side) =>
      restoreSide(side, { storage: disk, manifest, mayOverwrite: true }),
    );
    await starts("lost");
  },
  SLOW,
);

const intoCut = <R>(use: (side: Side) => Promise<R>) => using(openSide(configOf("cut"), { isAnyStore: true }), use);

test(
  "after an interrupted restore nothing starts until a restore has completed",
  async () => {
    const cutOff = AbortSignal.abort(new Error("cut off"));
    const manifest = await newestOf(disk);
    const restore = (signal?: AbortSignal) =>
      intoCut((side) => restoreSide(side, { storage: disk, manifest, mayOverwrite: true, signal }));
    await expect(restore(cutOff)).rejects.toThrow("cut off");
    await expect(starts("cut")).rejects.toThrow(NOT_WHOLE);
    await restore();
    await starts("cut");
  },
  SLOW,
);

test(
  "records bind to the rows of their first writer, and restored records to the rows restored with them",
  async () => {
    const source = await openSide(configOf("source"));
    const target = await openSide(configOf("target"), { isAnyStore: true });
    const shared = (side: Side) => ({ store: side.store, records: source.records });
    try {
      // Reading with a setting missing must not bind the records.
      await requireOwnRows(shared(target));
      await gather(source);
      await requireOwnRows(source);
      expect(await source.records.db.selectFrom("row_stores").select("id").execute()).toEqual([]);
      await requireOwnRows(source, WRITER);
      await requireOwnRows(source);
      // Two processes with a store each share the records.
      await expect(requireOwnRows(shared(target))).rejects.toThrow(ANOTHER);
      const own = openStorage(join(folder, "own-backups"), {});
      await backUpSide(source, own);
      await restoreSide(target, { storage: own, manifest: await newestOf(own), mayOverwrite: false });
      await requireOwnRows(target);
      await expect(requireOwnRows({ store: source.store, records: target.records })).rejects.toThrow(ANOTHER);
      await bindRows(shared(target));
      await requireOwnRows(shared(target));
    } finally {
      await target.close();
      await source.close();
    }
  },
  SLOW,
);

test(
  "a store that this program refuses leaves the records to the version that upgrades it",
  async () => {
    await layMigrated(join(folder, "older"));
    await using(openSide(configOf("older")), async ({ store, records }) => {
      await store.run(fromDefinition("TRUNCATE TABLE schema_migrations"));
      await store.run(fromDefinition("INSERT INTO schema_migrations (number, name, digest) VALUES (24, 'older', '')"));
      await recordsSql`delete from migrations where number > 22`.execute(records.db);
    });
    await expect(starts("older")).rejects.toThrow(/run 'almanac migrate' of commit dfcba548 first/);
    const db = recordsOver(await embeddedSessions(join(folder, "older"), []));
    expect((await recordsSql`select number from migrations`.execute(db)).rows).toHaveLength(22);
    await db.destroy();
  },
  SLOW,
);
