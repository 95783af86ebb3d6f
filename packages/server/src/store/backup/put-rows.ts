import type { Readable } from "node:stream";
import { fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import type { Store } from "../store.ts";
import { rowsOf } from "./checksum.ts";
import { columnList, type MovedTable } from "./moved-table.ts";
import type { RowPipe } from "./row-pipe.ts";
import { UNLIMITED } from "./unlimited.ts";

/** A store that rows are moved into. */
export type Target = { readonly store: Pick<Store, "rows" | "run" | "alter">; readonly pipe: Pick<RowPipe, "write"> };

export type PutRows = {
  /** Which rows of the table these are: what else the target has of them goes. */
  readonly where: Sql;
  /** Whether the target has none of them. */
  readonly isNew: boolean;
  /** Parquet. */
  readonly rows: Readable;
};

/** Has the target hold these rows and no others of where they lie, in every sort order. Cut off, it may be repeated. */
export async function putRows(target: Target, table: MovedTable, { where, isNew, rows }: PutRows): Promise<void> {
  const name = fromDefinition(table.name);
  const list = fromDefinition(columnList(table));
  if (!isNew) for (const each of [...table.copies, table.name]) await takeAway(target, each, where);
  await target.pipe.write(sql`INSERT INTO ${name} (${list}) FORMAT Parquet`, rows);
  for (const copy of table.copies) await fillCopy(target, table, copy, where);
}

/** Gives a further sort order the rows that the table has where it lies. */
async function fillCopy({ store }: Target, table: MovedTable, copy: string, where: Sql): Promise<void> {
  const list = fromDefinition(columnList(table));
  await store.run(
    sql`INSERT INTO ${fromDefinition(copy)} (${list}) SELECT ${list} FROM ${rowsOf(table)} WHERE ${where}`,
    { max_partitions_per_insert_block: 0, max_threads: 1, max_insert_threads: 1 },
  );
}

/** Nothing is written where there is nothing to take away. */
export async function takeAway({ store }: Target, name: string, where: Sql): Promise<void> {
  const from = fromDefinition(name);
  const held = await store.rows(sql`SELECT 1 AS one FROM ${from} WHERE ${where} LIMIT 1`, UNLIMITED);
  if (held.length > 0) await store.alter(sql`DELETE FROM ${from} WHERE ${where}`);
}
