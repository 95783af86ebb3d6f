import { type Meter, type MoveProgress, metered, digested } from "./metered.ts";
import { type MovedTable, columnList, storedSince, all, sliceSql, type Slice } from "./moved-table.ts";
import type { RowPipe } from "./row-pipe.ts";
import {
  listDrafts,
  listNames,
  PARTS,
  readDraft,
  readManifest,
  removeDraft,
  UnreadableManifest,
  writeDraft,
  writeManifest,
  type BackupPart,
  type BackupTable,
  type Manifest,
} from "./manifest.ts";
import type { BackupStorage } from "./storage.ts";
import { randomBytes } from "node:crypto";
import { fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { isSame, readChecksum, rowsOf, type Checksum } from "./checksum.ts";
import { planSlices } from "./plan-slices.ts";

type TableBackup = Meter & {
  readonly pipe: RowPipe;
  readonly storage: BackupStorage;
  /**
   * Rows of tables without versions that were stored at this time (ms) or later are left for the next backup, except
   * those that are stored already: their stamps may be ahead of the clock.
   */
  readonly cutMs: number;
  readonly sliceBytes: number;
  /** Prefix of the names of new parts. */
  readonly prefix: string;
  /** Parts of earlier backups of the table, the newest last: parts with the same rows are not written again. */
  readonly earlier: readonly (readonly BackupPart[])[];
  /** Whether the file of a part is there, in its full length. */
  readonly isStored: (part: BackupPart) => boolean;
  readonly onPart: (part: BackupPart, isNew: boolean, done: number, of: number) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Writes a table slice by slice into Parquet files. Each slice is copied into the engine's memory while it is written,
 * so that it cannot change.
 */
async function backUpTable(table: MovedTable, backup: TableBackup): Promise<void> {
  const isOld = table.isVersioned ? sql`1` : sql`NOT (${storedSince(table, await findCut(table, backup))})`;
  const slices = await slicesOf(table, backup);
  for (const [index, slice] of slices.entries()) {
    backup.signal?.throwIfAborted();
    const file = `${PARTS}${table.name}/${backup.prefix}-${String(index).padStart(5, "0")}.parquet`;
    const { part, isNew } = await held(backup.pipe, table, all([sliceSql(table, slice), isOld]), (stage) =>
      backUpSlice(table, backup, stage, slice, file),
    );
    await backup.onPart(part, isNew, index + 1, slices.length);
  }
}

/** The later of `cutMs` and the millisecond after the newest stamp: the records may cover every row stored by now. */
async function findCut(table: MovedTable, { pipe, cutMs }: TableBackup): Promise<number> {
  if (table.stamp === undefined) return cutMs;
  const newest = fromDefinition(`toString(toUnixTimestamp64Milli(toDateTime64(max(${table.stamp}), 3, 'UTC')))`);
  const ahead = storedSince(table, cutMs);
  const [found] = await pipe.rows<{ ms: string }>(sql`SELECT ${newest} AS ms FROM ${rowsOf(table)} WHERE ${ahead}`);
  return Math.max(cutMs, Number(found?.ms ?? 0) + 1);
}

/**
 * Reuses the bounds of the last backup so that its parts can be reused; only slices that became too large, because a
 * backfill makes them grow in the middle, and the rows after the last bound are divided again.
 */
async function slicesOf(table: MovedTable, { pipe, earlier, sliceBytes }: TableBackup): Promise<Slice[]> {
  const known = earlier.at(-1) ?? [];
  const last = known.at(-1)?.from;
  const slices: Slice[] = [];
  for (const [from, parts] of Map.groupBy(known, (part) => part.from))
    if (from !== last)
      slices.push(...(await planSlices(pipe, table, sliceBytes, { from, to: parts[0]?.to }, parts.map(toSlice))));
  return [...slices, ...(await planSlices(pipe, table, sliceBytes, { from: last }))];
}

/** Copies rows into a table in the engine's memory, so that reading them twice gives the same rows. */
async function held<T>(pipe: RowPipe, table: MovedTable, where: Sql, use: (stage: string) => Promise<T>): Promise<T> {
  const stage = `staged_backup_${randomBytes(8).toString("hex")}`;
  const columns = table.columns.map(({ name, stored }) => `${name} ${stored}`).join(", ");
  const list = fromDefinition(columnList(table));
  await pipe.run(fromDefinition(`CREATE TABLE ${stage} (${columns}) ENGINE = Memory`));
  try {
    await pipe.run(
      sql`INSERT INTO ${fromDefinition(stage)} (${list}) SELECT ${list} FROM ${rowsOf(table)} WHERE ${where}`,
    );
    return await use(stage);
  } finally {
    await pipe.run(fromDefinition(`DROP TABLE IF EXISTS ${stage} SYNC`)).catch(() => undefined);
  }
}

async function backUpSlice(
  table: MovedTable,
  { pipe, storage, earlier, isStored, ...meter }: TableBackup,
  stage: string,
  slice: Slice,
  file: string,
): Promise<{ part: BackupPart; isNew: boolean }> {
  const said: Checksum = await readChecksum(pipe, { ...table, isVersioned: false }, { from: stage });
  const known = earlier.flat().find((part) => isSame(part, said) && sameSlice(part, slice) && isStored(part));
  if (known !== undefined) return { part: known, isNew: false };
  const list = fromDefinition(columnList(table));
  const order = fromDefinition(table.orderBy.join(", "));
  const rows = await pipe.read(sql`SELECT ${list} FROM ${fromDefinition(stage)} ORDER BY ${order} FORMAT Parquet`);
  const { bytes, digest } = digested(metered(rows, meter));
  await storage.put(file, bytes);
  return { part: { file, ...digest(), ...definedOf(slice), ...said }, isNew: true };
}

const toSlice = ({ from, to, share }: Slice): Slice => ({ from, to, share });

const definedOf = ({ from, to, share }: Slice): Slice => ({
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
  ...(share === undefined ? {} : { share }),
});

const sameSlice = (one: Slice, other: Slice): boolean =>
  JSON.stringify(definedOf(one)) === JSON.stringify(definedOf(other));

export type BackupOptions = Meter & {
  readonly storage: BackupStorage;
  readonly pipe: RowPipe;
  readonly tables: readonly MovedTable[];
  /** Manifest fields known before the rows are read: the control records are written already. */
  readonly begun: Omit<Manifest, "tables" | "ended_at" | "format">;
  readonly cutMs: number;
  readonly now: () => number;
  readonly sliceBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: MoveProgress) => void) | undefined;
};

export type Backup = { readonly manifest: Manifest; readonly newParts: number; readonly newBytes: number };

const SLICE_BYTES = 128_000_000;
const DRAFT_MS = 10_000;

/**
 * Writes the rows of every table except short-lived ones, then the manifest. Parts that an earlier backup has unchanged
 * are not written again.
 */
export async function createBackup(options: BackupOptions): Promise<Backup> {
  const { storage, tables, begun, now } = options;
  const earlier = await readEarlier(storage);
  const lengths = new Map((await storage.list(PARTS)).map(({ name, bytes }) => [name, bytes]));
  const written: BackupTable[] = [];
  const draft = (): Manifest => ({ format: 1, ...begun, ended_at: null, tables: written });
  const made = { newParts: 0, newBytes: 0 };
  await writeDraft(storage, draft());
  let savedMs = now();
  for (const table of tables.filter(({ isPassing }) => !isPassing)) {
    const { name, columns } = table;
    const parts: BackupPart[] = [];
    written.push({ name, columns: [...columns], parts });
    await backUpTable(table, {
      ...options,
      sliceBytes: options.sliceBytes ?? SLICE_BYTES,
      prefix: begun.name,
      earlier: earlierOf(earlier, table),
      isStored: ({ file, bytes }) => lengths.get(file) === bytes,
      onPart: async (part, isNew, done, of) => {
        parts.push(part);
        made.newParts += isNew ? 1 : 0;
        made.newBytes += isNew ? part.bytes : 0;
        options.onProgress?.({ phase: "backup", table: name, done, of });
        if (!isNew || now() - savedMs < DRAFT_MS) return;
        await writeDraft(storage, draft());
        savedMs = now();
      },
    });
  }
  const manifest = { ...draft(), ended_at: new Date(now()).toISOString() };
  await writeManifest(storage, manifest);
  for (const name of await listDrafts(storage)) await removeDraft(storage, name);
  return { manifest, ...made };
}

/** The last complete backup and those begun since: their parts may be reused. */
async function readEarlier(storage: BackupStorage): Promise<readonly Manifest[]> {
  const last = (await listNames(storage)).at(-1);
  const drafts = (await listDrafts(storage)).filter((name) => last === undefined || name > last);
  const complete = last === undefined ? [] : [readManifest(storage, last)];
  const read = [...complete, ...drafts.map((name) => readDraft(storage, name))];
  return (await Promise.all(read.map((one) => one.then((manifest) => [manifest], noneIfUnreadable)))).flat();
}

/** Parts are then written again: damage to an earlier backup is no reason to have no new one. */
function noneIfUnreadable(error: unknown): [] {
  if (error instanceof UnreadableManifest) return [];
  throw error;
}

/** Parts with other columns cannot be reused. The newest come last. */
function earlierOf(earlier: readonly Manifest[], { name, columns }: MovedTable): BackupPart[][] {
  return earlier
    .flatMap(({ tables }) => tables)
    .filter((table) => table.name === name && JSON.stringify(table.columns) === JSON.stringify(columns))
    .map(({ parts }) => parts)
    .filter((parts) => parts.length > 0);
}
