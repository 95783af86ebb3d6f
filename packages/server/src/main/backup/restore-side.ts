import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../cli/command-error.ts";
import { fromDefinition } from "../../definition/sql.ts";
import { loadRecords } from "../../records/backup/load-records.ts";
import type { Manifest } from "../../store/backup/manifest.ts";
import { readFile } from "../../store/backup/read-file.ts";
import { emptyTable, restoreTables, type RestoreOptions } from "../../store/backup/restore-tables.ts";
import { isRestored, verifyRestored, type Verified } from "../../store/backup/verify-restored.ts";
import { openJournal } from "../../store/copy/copy-journal.ts";
import { requireSameRecords } from "../copy/copy-sides.ts";
import { MOVED } from "../copy/moved.ts";
import { isFilled, type Side } from "../copy/open-side.ts";
import { readRecordsBytes } from "../copy/records-file.ts";
import { bindNothing, bindRows } from "../own-rows.ts";
import { readSchemas } from "./read-schemas.ts";

export type Restored = { readonly verified: readonly Verified[]; readonly records: Readonly<Record<string, number>> };

type Wishes = Pick<RestoreOptions, "storage" | "manifest" | "signal" | "onProgress" | "onBytes" | "bytesPerSecond"> & {
  readonly mayOverwrite: boolean;
};

/**
 * Restores a backup into a place that is empty, or in which the same restore was cut off; then compares. Nothing starts
 * there before all of it is the same. Throws CommandError, DamagedFile.
 */
export async function restoreSide(side: Side, wishes: Wishes): Promise<Restored> {
  const { manifest, storage } = wishes;
  await requireSchema(side, manifest);
  const file = join(side.folder, `restore-${manifest.name}.json`);
  const isInTheWay = !existsSync(file) && (await isFilled(side));
  if (isInTheWay && !wishes.mayOverwrite)
    throw new CommandError(
      1,
      "the target holds rows or records already: give --overwrite to put the backup in their place",
    );
  await bindNothing(side);
  if (isInTheWay) for (const table of MOVED) await emptyTable(side, table);
  const journal = openJournal(file, Date.now());
  journal.save();
  const options = { ...wishes, target: side, tables: MOVED, journal };
  await restoreTables(options);
  const records = await loadRecords(side.records.db, readRecordsBytes(await readFile(storage, manifest.records)));
  await requireSameRecords(side, manifest.records.tables);
  await side.store.run(fromDefinition("SYSTEM RELOAD DICTIONARIES"));
  const verified = await verifyRestored(options);
  if (verified.every(isRestored)) {
    await bindRows(side);
    rmSync(file, { force: true });
  }
  return { verified, records };
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
