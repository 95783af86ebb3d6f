import { createReadStream, rmSync } from "node:fs";
import { join } from "node:path";
import { commandContext } from "../../cli/command-context.ts";
import { createBackup, type Backup, type BackupOptions } from "../../store/backup/create-backup.ts";
import { digested } from "../../store/backup/metered.ts";
import { filesOf, newName, type Manifest } from "../../store/backup/manifest.ts";
import type { BackupStorage } from "../../store/backup/storage.ts";
import { CLOCKS_APART_MS } from "../shared-changes.ts";
import { MOVED, readProgram, readSchemas } from "./moved.ts";
import type { Side } from "./open-side.ts";
import { writeRecordsFile } from "./records-file.ts";

type Wishes = Pick<BackupOptions, "bytesPerSecond" | "sliceBytes" | "signal" | "onProgress" | "onBytes">;

export type BackedUp = {
  readonly name: string;
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
  /** Not part of any earlier backup. */
  readonly new_files: number;
  readonly new_bytes: number;
};

/**
 * Backs up records and rows, records first, so that no cursor is ahead of the rows. Notes its success in the records,
 * for monitoring of the last backup's age. Throws StorageError, StoreError.
 */
export async function backUpSide(side: Side, storage: BackupStorage, wishes: Wishes = {}): Promise<BackedUp> {
  const records = await backUpRecords(side, storage);
  // After the records, by the fastest possible clock: no row that a cursor covers may be missing.
  const cutMs = Date.now() + CLOCKS_APART_MS;
  const backup = await createBackup({
    ...wishes,
    storage,
    pipe: side.pipe,
    tables: MOVED,
    begun: { ...records, program: readProgram(), ...(await readSchemas(side)) },
    cutMs,
    now: Date.now,
  });
  const said = described(backup);
  const { name, rows, bytes } = said;
  const detail = JSON.stringify({ name, rows, bytes });
  await side.records.db
    .insertInto("audit")
    .values({ actor: commandContext().actor, action: "backup.create", subject: storage.place, detail })
    .execute();
  return said;
}

async function backUpRecords(
  side: Side,
  storage: BackupStorage,
): Promise<Pick<Manifest, "name" | "started_at" | "records">> {
  const startedMs = Date.now();
  const name = await newName(storage, startedMs);
  const scratch = join(side.folder, "records.jsonl.gz");
  try {
    const tables = await writeRecordsFile(side.records, scratch);
    const { bytes, digest } = digested(createReadStream(scratch));
    const file = `${name}/records.jsonl.gz`;
    await storage.put(file, bytes);
    return { name, started_at: new Date(startedMs).toISOString(), records: { file, ...digest(), tables } };
  } finally {
    rmSync(scratch, { force: true });
  }
}

function described({ manifest, newParts, newBytes }: Backup): BackedUp {
  const files = filesOf(manifest);
  return {
    name: manifest.name,
    rows: manifest.tables.flatMap(({ parts }) => parts).reduce((sum, { rows }) => sum + Number(rows), 0),
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    new_files: newParts + 1,
    new_bytes: newBytes + manifest.records.bytes,
  };
}
