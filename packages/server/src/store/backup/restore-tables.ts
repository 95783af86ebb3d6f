import { fromDefinition, sql } from "../../definition/sql.ts";
import type { Journal } from "../copy/copy-journal.ts";
import { metered, type Meter } from "../copy/metered.ts";
import type { MoveProgress } from "../copy/move.ts";
import type { MovedTable } from "../copy/moved-table.ts";
import { putRows, type Target } from "../copy/put-rows.ts";
import { sliceSql } from "../copy/slice.ts";
import type { BackupTable, Manifest } from "./manifest.ts";
import { readFile } from "./read-file.ts";
import type { BackupStorage } from "./storage.ts";

export type RestoreOptions = Meter & {
  readonly storage: BackupStorage;
  readonly manifest: Manifest;
  readonly target: Target;
  readonly tables: readonly MovedTable[];
  readonly journal: Journal;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: MoveProgress) => void) | undefined;
};

/**
 * Stores the rows of a backup in tables that are empty, or that the same restore was cut off in. Each file is compared
 * with its digest before a row of it is stored. Throws DamagedFile, StorageError, StoreError.
 */
export async function restoreTables(options: RestoreOptions): Promise<void> {
  for (const { table, held } of pairsOf(options)) await restoreTable(options, table, held);
}

/** The tables of a backup, each with what this program knows of it. Throws where it knows none of that name. */
export function pairsOf({ manifest, tables }: Pick<RestoreOptions, "manifest" | "tables">) {
  return manifest.tables.map((held) => {
    const table = tables.find(({ name }) => name === held.name);
    if (table === undefined) throw new Error(`the backup has a table ${held.name}, which this program does not know`);
    return { table, held };
  });
}

async function restoreTable(options: RestoreOptions, table: MovedTable, held: BackupTable): Promise<void> {
  const { progress, save } = options.journal;
  const state = (progress.tables[table.name] ??= { slices: [], done: 0, is_begun: false });
  while (state.done < held.parts.length) {
    options.signal?.throwIfAborted();
    const part = held.parts[state.done];
    if (part === undefined) break;
    const bytes = await readFile(options.storage, part);
    const isNew = !state.is_begun;
    state.is_begun = true;
    save();
    const rows = metered(inChunks(bytes), options);
    await putRows(options.target, table, { where: sliceSql(table, part), isNew, format: "Parquet", rows });
    state.done += 1;
    state.is_begun = false;
    save();
    options.onProgress?.({ phase: "restore", table: table.name, done: state.done, of: held.parts.length });
  }
}

/** Whether a table of the target, or one of its sort orders, has rows. */
export async function hasRows({ store }: Pick<Target, "store">, table: MovedTable): Promise<boolean> {
  for (const name of [table.name, ...table.copies]) {
    const found = await store.rows(sql`SELECT 1 AS one FROM ${fromDefinition(name)} LIMIT 1`);
    if (found.length > 0) return true;
  }
  return false;
}

/** Takes every row out of a table and its sort orders. */
export async function emptyTable({ store }: Target, table: MovedTable): Promise<void> {
  for (const name of [...table.copies, table.name]) await store.run(fromDefinition(`TRUNCATE TABLE ${name}`));
}

const CHUNK_BYTES = 1_048_576;

// eslint-disable-next-line require-await
async function* inChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}
