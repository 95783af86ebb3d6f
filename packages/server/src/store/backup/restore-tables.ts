import { fromDefinition, sql } from "../../definition/sql.ts";
import { isSame, readChecksum } from "./checksum.ts";
import type { BackupTable, Manifest } from "./manifest.ts";
import { metered, type Meter, type MoveProgress } from "./metered.ts";
import type { MovedTable } from "./moved-table.ts";
import { putRows, takeAway, type Target } from "./put-rows.ts";
import { readFile } from "./read-file.ts";
import type { RestoreJournal } from "./restore-journal.ts";
import { sliceSql } from "./slice.ts";
import type { BackupStorage } from "./storage.ts";

export type RestoreOptions = Meter & {
  readonly storage: BackupStorage;
  readonly manifest: Manifest;
  readonly target: Target;
  readonly tables: readonly MovedTable[];
  readonly journal: RestoreJournal;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: MoveProgress) => void) | undefined;
};

/**
 * Has tables hold the rows of a backup and no others. Parts whose rows the target has already are not read: after an
 * earlier backup of the same store only what changed since is. Each file is compared with its digest before a row of it
 * is stored. Cut off, it goes on by its journal. Throws DamagedFile, StorageError, StoreError.
 */
export async function restoreTables(options: RestoreOptions): Promise<void> {
  const pairs = pairsOf(options);
  for (const table of options.tables)
    if (!pairs.some((one) => one.table === table) && (await hasRows(options.target, table)))
      await emptyTable(options.target, table);
  for (const { table, held } of pairs) await restoreTable(options, table, held);
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
  const { target, journal } = options;
  const state = (journal.tables[table.name] ??= {
    done: 0,
    is_begun: false,
    is_filled: await keepsRows(target, table),
  });
  for (const part of held.parts.slice(state.done)) {
    options.signal?.throwIfAborted();
    const where = sliceSql(table, part);
    const mayBeSame = state.is_filled && !state.is_begun;
    if (!mayBeSame || !isSame(part, await readChecksum(target.store, table, { where }))) {
      const bytes = await readFile(options.storage, part);
      const isNew = !state.is_filled && !state.is_begun;
      state.is_begun = true;
      journal.save();
      await putRows(target, table, { where, isNew, rows: metered(inChunks(bytes), options) });
    }
    state.done += 1;
    state.is_begun = false;
    journal.save();
    options.onProgress?.({ phase: "restore", table: table.name, done: state.done, of: held.parts.length });
  }
  if (state.is_filled) await takeRest(target, table, held);
}

/** Whether rows of before may stay: none do where a further sort order is not the table, and all are taken away then. */
async function keepsRows(target: Target, table: MovedTable): Promise<boolean> {
  if (!(await hasRows(target, table))) return false;
  const own = await readChecksum(target.store, table);
  for (const from of table.copies) {
    if (isSame(await readChecksum(target.store, table, { from }), own)) continue;
    await emptyTable(target, table);
    return false;
  }
  return true;
}

/** Parts lie side by side from the first value of a table on; what lies behind the last one is not in the backup. */
async function takeRest(target: Target, table: MovedTable, { parts }: BackupTable): Promise<void> {
  if (parts.length === 0) return await emptyTable(target, table);
  const from = parts.at(-1)?.to;
  if (from === undefined) return;
  for (const name of [...table.copies, table.name]) await takeAway(target, name, sliceSql(table, { from }));
}

type HasRows = { readonly store: Pick<Target["store"], "rows"> };

/** Whether a table of the target, or one of its sort orders, has rows. */
export async function hasRows({ store }: HasRows, table: MovedTable): Promise<boolean> {
  for (const name of [table.name, ...table.copies]) {
    const found = await store.rows(sql`SELECT 1 AS one FROM ${fromDefinition(name)} LIMIT 1`);
    if (found.length > 0) return true;
  }
  return false;
}

/** Takes every row out of a table and its sort orders. */
async function emptyTable({ store }: Target, table: MovedTable): Promise<void> {
  for (const name of [...table.copies, table.name]) await store.alter(fromDefinition(`TRUNCATE TABLE ${name}`));
}

const CHUNK_BYTES = 1_048_576;

// eslint-disable-next-line require-await
async function* inChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}
