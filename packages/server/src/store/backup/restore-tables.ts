import { fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { isCopied, isSame, readChecksum, rowsOf } from "./checksum.ts";
import { parseJson, type BackupTable, type Manifest } from "./manifest.ts";
import { metered, type Meter, type MoveProgress } from "./metered.ts";
import { asCopied, type MovedTable, columnList, sliceSql } from "./moved-table.ts";
import { readFile, type BackupStorage, UNLIMITED } from "./storage.ts";
import type { Readable } from "node:stream";
import type { Store } from "../store.ts";
import type { RowPipe } from "./row-pipe.ts";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

const tableState = z.object({
  /** Number of its parts that are at the target. */
  done: z.int(),
  /** The part with index `done` was begun: some of its rows may be at the target. */
  is_begun: z.boolean(),
  /** The target had rows of this table before: those of a part that are the same stay. */
  is_filled: z.boolean(),
});
const schema = z.object({ backup: z.string(), tables: z.record(z.string(), tableState) });

export type TableState = z.output<typeof tableState>;

/** Progress of a restore. Once saved, it survives a killed process. */
type RestoreJournal = {
  readonly tables: Record<string, TableState>;
  /** An earlier restore of the same backup here did not complete. */
  readonly isGoingOn: boolean;
  readonly save: () => void;
  /** Has the next restore compare every part again: some do not have the rows that this one stored. */
  readonly forget: () => void;
};

/** Reads the journal of the restore of that backup; starts a new one if the file is missing, unreadable or of another backup. */
export function openRestoreJournal(file: string, backup: string): RestoreJournal {
  const found = existsSync(file) ? schema.safeParse(parseJson(readFileSync(file, "utf8"))).data : undefined;
  const isGoingOn = found?.backup === backup;
  const tables = isGoingOn ? found.tables : {};
  const forget = (): void => write(file, { backup, tables: {} });
  return { tables, isGoingOn, save: () => write(file, { backup, tables }), forget };
}

/** Writes under another name and renames, so that a reader finds either the old or the new file. */
function write(file: string, value: z.output<typeof schema>): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const handle = openSync(`${file}.new`, "w", 0o600);
  // A full disk may take only part of what one write gives it.
  writeFileSync(handle, JSON.stringify(value));
  fsyncSync(handle);
  closeSync(handle);
  renameSync(`${file}.new`, file);
}

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
 * Makes tables hold exactly the rows of a backup. Parts whose rows the target has already are not read, so after
 * restoring an earlier backup of the same store only changed parts are. Each file is compared with its digest before
 * any of its rows is stored. An interrupted restore continues from its journal. Throws DamagedFile, StorageError,
 * StoreError.
 */
export async function restoreTables(options: RestoreOptions): Promise<void> {
  const pairs = pairsOf(options);
  for (const table of options.tables)
    if (!pairs.some((one) => one.table === table) && (await hasRows(options.target, table)))
      await emptyTable(options.target, table);
  for (const { table, held } of pairs) await restoreTable(options, table, held);
}

/** Pairs the tables of a backup with this program's definitions. Throws if a table is unknown. */
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

/**
 * Whether earlier rows may stay: none do if an additional sort order differs from the table, and all are then deleted.
 */
async function keepsRows(target: Target, table: MovedTable): Promise<boolean> {
  if (!(await hasRows(target, table))) return false;
  const own = await readChecksum(target.store, table);
  for (const from of table.copies) {
    if (await isCopied(target.store, table, from, own)) continue;
    await emptyTable(target, table);
    return false;
  }
  return true;
}

/** Deletes rows after the last part: parts cover a table contiguously, so these are not in the backup. */
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

/** Deletes all rows of a table and its sort orders. */
async function emptyTable({ store }: Target, table: MovedTable): Promise<void> {
  for (const name of [...table.copies, table.name]) await store.alter(fromDefinition(`TRUNCATE TABLE ${name}`));
}

const CHUNK_BYTES = 1_048_576;

// eslint-disable-next-line require-await
async function* inChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/** The store that rows are restored into. */
type Target = { readonly store: Pick<Store, "rows" | "run" | "alter">; readonly pipe: Pick<RowPipe, "write"> };

type PutRows = {
  /** The slice of the table that these rows fill: all other rows that the target has there are deleted. */
  readonly where: Sql;
  /** Whether the target has no rows there. */
  readonly isNew: boolean;
  /** Parquet. */
  readonly rows: Readable;
};

/** Makes the target hold exactly these rows within their slice, in every sort order. Can be repeated if interrupted. */
async function putRows(target: Target, table: MovedTable, { where, isNew, rows }: PutRows): Promise<void> {
  const name = fromDefinition(table.name);
  const list = fromDefinition(columnList(table));
  if (!isNew) for (const each of [...table.copies, table.name]) await takeAway(target, each, where);
  await target.pipe.write(sql`INSERT INTO ${name} (${list}) FORMAT Parquet`, rows);
  for (const copy of table.copies) await fillCopy(target, table, copy, where);
}

/** Copies the table's rows of a slice into an additional sort order. */
async function fillCopy({ store }: Target, table: MovedTable, copy: string, where: Sql): Promise<void> {
  const list = fromDefinition(columnList(asCopied(table, copy)));
  await store.run(
    sql`INSERT INTO ${fromDefinition(copy)} (${list}) SELECT ${list} FROM ${rowsOf(table)} WHERE ${where}`,
    { max_partitions_per_insert_block: 0, max_threads: 1, max_insert_threads: 1 },
  );
}

/** Deletes rows; no statement is sent if there are none. */
async function takeAway({ store }: Target, name: string, where: Sql): Promise<void> {
  const from = fromDefinition(name);
  const held = await store.rows(sql`SELECT 1 AS one FROM ${from} WHERE ${where} LIMIT 1`, UNLIMITED);
  if (held.length > 0) await store.alter(sql`DELETE FROM ${from} WHERE ${where}`);
}
