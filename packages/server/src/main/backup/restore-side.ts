import { rmSync } from "node:fs";
import { join } from "node:path";
import { tables } from "../../catalogue.ts";
import { CommandError } from "../../cli/command.ts";
import { describeRecords, type RecordSum } from "../../records/backup/dump-records.ts";
import { loadOlderRecords, loadRecords } from "../../records/backup/load-records.ts";
import { readMigrations as readRecordsMigrations } from "../../records/migrate.ts";
import { filesOf, type Manifest } from "../../store/backup/manifest.ts";
import { type BackupStorage, readFile } from "../../store/backup/storage.ts";
import { openRestoreJournal, restoreTables, type RestoreOptions } from "../../store/backup/restore-tables.ts";
import { isRestored, verifyRestored, type Verified } from "../../store/backup/verify-restored.ts";
import { migrateRows } from "../../store/migrate.ts";
import { BASELINE, LAST_BEFORE } from "../../store/migrations.ts";
import { MIGRATIONS } from "../open-engines.ts";
import { bindNothing, bindRows } from "../own-rows.ts";
import { addDropped, newestSchema, tablesOf, withoutDropped } from "./older-backup.ts";
import { isFilled, type Side } from "./open-side.ts";
import { readRecordsFile } from "./records-file.ts";

type Counts = Readonly<Record<string, number>>;
export type Restored = { readonly verified: readonly Verified[]; readonly records: Counts };

type Wishes = Pick<RestoreOptions, "storage" | "manifest" | "signal" | "onProgress" | "onBytes" | "bytesPerSecond"> & {
  readonly mayOverwrite: boolean;
};

/**
 * Restores a backup into a target that is empty, in which the same restore was interrupted, or that may be overwritten;
 * then verifies it. The service does not start there until everything is equal. Throws CommandError, DamagedFile.
 */
export async function restoreSide(side: Side, wishes: Wishes): Promise<Restored> {
  const { storage } = wishes;
  await requireSchema(wishes.manifest);
  await requireFiles(storage, wishes.manifest);
  const manifest = withoutDropped(wishes.manifest);
  const file = join(side.folder, "restore.json");
  const journal = openRestoreJournal(file, manifest.name);
  if (!journal.isGoingOn && !wishes.mayOverwrite && (await isFilled(side)))
    throw new CommandError(
      1,
      "the target already has rows or records: give --overwrite to make it equal to the backup (anything else in it is deleted)",
    );
  await bindNothing(side);
  journal.save();
  // They belong to the replaced rows; the next start rebuilds them.
  for (const name of ["serving", "checkpoints"]) rmSync(join(side.dataDir, name), { recursive: true, force: true });
  const options = { ...wishes, manifest, target: side, tables: tablesOf(manifest), journal };
  await addDropped(side.store, manifest);
  await restoreTables(options);
  const records = await restoreRecords(side, manifest, await readFile(storage, manifest.records));
  for (const { dictionary } of tables) if (dictionary) await side.store.reload(dictionary.name);
  const verified = await verifyRestored(options);
  if (verified.every(isRestored)) {
    // The rows will no longer be those of an older backup: a restore that is interrupted from here on compares them.
    journal.forget();
    await migrateRows(side.store, MIGRATIONS, tables, manifest.schema);
    await bindRows(side);
    rmSync(file, { force: true });
  } else journal.forget();
  return { verified, records };
}

/** Replaces the records, migrated if they are of an older schema. Throws CommandError if they differ from the backup. */
async function restoreRecords({ records: { db } }: Side, manifest: Manifest, bytes: Buffer): Promise<Counts> {
  const pages = readRecordsFile(bytes);
  const check = (held: Readonly<Record<string, RecordSum>>): void => requireSameRecords(held, manifest);
  if (manifest.records_schema < (await readRecordsMigrations()).length)
    return await loadOlderRecords(db, pages, manifest.records_schema, check);
  const counts = await loadRecords(db, pages);
  check(await describeRecords(db));
  return counts;
}

function requireSameRecords(
  held: Readonly<Record<string, RecordSum>>,
  { records: { tables: written } }: Manifest,
): void {
  const other = Object.keys(written).filter((table) => written[table]?.sha256 !== held[table]?.sha256);
  if (other.length > 0)
    throw new CommandError(4, `control records differ in ${other.join(", ")}: does something write to the target?`);
}

const MAX_NAMED = 5;

/** Throws CommandError if files are missing or of another length, before anything of the target is replaced. */
async function requireFiles(storage: BackupStorage, manifest: Manifest): Promise<void> {
  const lengths = new Map((await storage.list("")).map(({ name, bytes }) => [name, bytes]));
  const lacking = filesOf(manifest).filter(({ file, bytes }) => lengths.get(file) !== bytes);
  if (lacking.length === 0) return;
  const named = lacking.slice(0, MAX_NAMED).map(({ file }) => file);
  throw new CommandError(
    1,
    `the target is unchanged, since files of ${manifest.name} in ${storage.place} are missing or of another length (${lacking.length}: ${named.join(", ")}): restore another backup`,
  );
}

/** Throws CommandError if this program cannot restore a backup of that schema. */
export async function requireSchema({ schema, records_schema: records, program }: Manifest): Promise<void> {
  const [newest, newestRecords] = [newestSchema(), (await readRecordsMigrations()).length];
  const made = `the backup was made by Almanac ${program} at schema ${schema}/${records}`;
  if (schema > newest || records > newestRecords)
    throw new CommandError(
      1,
      `${made}, this program knows ${newest}/${newestRecords}: restore it with a newer version, which restores older backups too`,
    );
  if (schema < BASELINE)
    throw new CommandError(
      1,
      `${made}, this program restores backups from ${BASELINE} on: restore it with a commit whose newest migrations are ${schema} (packages/server/migrations) and ${records} (packages/server/src/records/migrations), then run 'almanac migrate' of commit ${LAST_BEFORE}, then of this version`,
    );
}
