import { randomBytes } from "node:crypto";
import { fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { added, isSame, readChecksum, rowsOf, type Checksum } from "./checksum.ts";
import { metered, type Meter } from "./metered.ts";
import { columnList, storedSince, type MovedTable } from "./moved-table.ts";
import { planSlices } from "./plan-slices.ts";
import type { RowPipe } from "./row-pipe.ts";
import { all, sliceSql, type Slice } from "./slice.ts";
import { digested } from "./digested.ts";
import type { BackupPart } from "./manifest.ts";
import type { BackupStorage } from "./storage.ts";

export type TableBackup = Meter & {
  readonly pipe: RowPipe;
  readonly storage: BackupStorage;
  /** Rows of tables without versions that were stored at this moment (ms) or later are left for the next backup. */
  readonly cutMs: number;
  readonly sliceBytes: number;
  /** Begins the names of new parts. */
  readonly prefix: string;
  /** Parts of earlier backups of the table, the newest last: those whose rows are the same are not written again. */
  readonly earlier: readonly (readonly BackupPart[])[];
  readonly onPart: (part: BackupPart, isNew: boolean, done: number, of: number) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
};

const MUCH = 1.5;

/** Writes a table slice by slice into Parquet files. Each slice is held still in the engine's memory while it is written. */
export async function backUpTable(table: MovedTable, backup: TableBackup): Promise<void> {
  const slices = await slicesOf(table, backup);
  for (const [index, slice] of slices.entries()) {
    backup.signal?.throwIfAborted();
    const isOld = table.isVersioned ? sql`1` : sql`NOT (${storedSince(table, backup.cutMs)})`;
    const file = `parts/${table.name}/${backup.prefix}-${String(index).padStart(5, "0")}.parquet`;
    const { part, isNew } = await held(backup.pipe, table, all([sliceSql(table, slice), isOld]), (stage) =>
      backUpSlice(table, backup, stage, slice, file),
    );
    await backup.onPart(part, isNew, index + 1, slices.length);
  }
}

/**
 * The bounds of the last backup, so that its parts can serve again; only what lies behind the last bound is divided
 * anew, or all of it where the table has grown much: by history that is gathered backwards, slices grow in the middle.
 */
async function slicesOf(table: MovedTable, { pipe, earlier, sliceBytes }: TableBackup): Promise<Slice[]> {
  const known = earlier.at(-1) ?? [];
  const last = known.at(-1)?.from;
  const [counted] = await pipe.rows<{ n: string }>(sql`SELECT toString(count()) AS n FROM ${rowsOf(table)}`);
  const hasGrown = Number(counted?.n ?? 0) > MUCH * Number(added(known).rows);
  if (last === undefined || hasGrown) return await planSlices(pipe, table, sliceBytes);
  const kept = known.filter(({ from }) => from !== last).map(({ from, to, share }): Slice => ({ from, to, share }));
  return [...kept, ...(await planSlices(pipe, table, sliceBytes, last))];
}

/** Rows in a table of the engine's memory: what is read of them twice is the same both times. */
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
  { pipe, storage, earlier, ...meter }: TableBackup,
  stage: string,
  slice: Slice,
  file: string,
): Promise<{ part: BackupPart; isNew: boolean }> {
  const said: Checksum = await readChecksum(pipe, { ...table, isVersioned: false }, { from: stage });
  const known = earlier.flat().find((part) => isSame(part, said) && sameSlice(part, slice));
  if (known !== undefined) return { part: known, isNew: false };
  const list = fromDefinition(columnList(table));
  const order = fromDefinition(table.orderBy.join(", "));
  const rows = await pipe.read(sql`SELECT ${list} FROM ${fromDefinition(stage)} ORDER BY ${order} FORMAT Parquet`);
  const { bytes, digest } = digested(metered(rows, meter));
  await storage.put(file, bytes);
  return { part: { file, ...digest(), ...definedOf(slice), ...said }, isNew: true };
}

const definedOf = ({ from, to, share }: Slice): Slice => ({
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
  ...(share === undefined ? {} : { share }),
});

const sameSlice = (one: Slice, other: Slice): boolean =>
  JSON.stringify(definedOf(one)) === JSON.stringify(definedOf(other));
