import { rmSync } from "node:fs";
import { join } from "node:path";
import { tables } from "../../catalogue.ts";
import { CommandError } from "../../cli/command.ts";
import { describeRecords } from "../../records/backup/dump-records.ts";
import { loadRecords } from "../../records/backup/load-records.ts";
import type { Manifest } from "../../store/backup/manifest.ts";
import { readFile } from "../../store/backup/storage.ts";
import { openRestoreJournal, restoreTables, type RestoreOptions } from "../../store/backup/restore-tables.ts";
import { isRestored, verifyRestored, type Verified } from "../../store/backup/verify-restored.ts";
import { bindNothing, bindRows } from "../own-rows.ts";
import { MOVED, readSchemas } from "./moved.ts";
import { isFilled, type Side } from "./open-side.ts";
import { readRecordsFile } from "./records-file.ts";

export type Restored = { readonly verified: readonly Verified[]; readonly records: Readonly<Record<string, number>> };

type Wishes = Pick<RestoreOptions, "storage" | "manifest" | "signal" | "onProgress" | "onBytes" | "bytesPerSecond"> & {
  readonly mayOverwrite: boolean;
};

/**
 * Restores a backup into a target that is empty, in which the same restore was interrupted, or that may be overwritten;
 * then verifies it. The service does not start there until everything is equal. Throws CommandError, DamagedFile.
 */
export async function restoreSide(side: Side, wishes: Wishes): Promise<Restored> {
  const { manifest, storage } = wishes;
  await requireSchema(side, manifest);
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
  const options = { ...wishes, target: side, tables: MOVED, journal };
  await restoreTables(options);
  const records = await loadRecords(side.records.db, readRecordsFile(await readFile(storage, manifest.records)));
  await requireSameRecords(side, manifest);
  for (const { dictionary } of tables) if (dictionary) await side.store.reload(dictionary.name);
  const verified = await verifyRestored(options);
  if (verified.every(isRestored)) {
    await bindRows(side);
    rmSync(file, { force: true });
  } else journal.forget();
  return { verified, records };
}

/** Throws CommandError if the records differ from those of the backup. */
async function requireSameRecords({ records }: Side, { records: written }: Manifest): Promise<void> {
  const held = await describeRecords(records.db);
  const other = Object.keys(written.tables).filter((table) => written.tables[table]?.sha256 !== held[table]?.sha256);
  if (other.length > 0)
    throw new CommandError(4, `control records differ in ${other.join(", ")}: does something write to the target?`);
}

async function requireSchema(side: Side, { schema, records_schema, program }: Manifest): Promise<void> {
  const own = await readSchemas(side);
  if (schema > own.schema || records_schema > own.records_schema)
    throw new CommandError(
      1,
      `the backup was made by Almanac ${program} at schema ${schema}/${records_schema}, this program knows ${own.schema}/${own.records_schema}: restore it with that version or a newer one`,
    );
  if (schema < own.schema || records_schema < own.records_schema)
    throw new CommandError(
      1,
      `the backup is of the older schema ${schema}/${records_schema}, this program is at ${own.schema}/${own.records_schema}: restore it with Almanac ${program}, then start this version, which migrates it`,
    );
}
