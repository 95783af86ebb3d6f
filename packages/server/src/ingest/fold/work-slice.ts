import { isOneOf } from "../../definition/filter.ts";
import type { Fold, FoldReader, FoldRows, FoldSlice } from "../../definition/fold.ts";
import { bind, fromDefinition, joined, name, nothing, sql } from "../../definition/sql.ts";
import type { InsertRow, TableDefinition } from "../../definition/table.ts";
import type { Store } from "../../store/store.ts";
import { keyLength, sortedByKey, textOf } from "./key-sql.ts";

/** `isNew`: none of the table's rows of the slice is stored. */
export type MadeRows = FoldRows & { readonly isNew: boolean };

/** Works a slice out: its rows, and a tombstone for each that is stored and is no more. Nothing is written. */
export async function workSlice(fold: Fold, read: FoldReader, slice: FoldSlice): Promise<readonly MadeRows[]> {
  const [made, ...stored] = await Promise.all([
    fold.work(read, slice),
    ...fold.into.map((table) => readKeys(fold, read, table, slice)),
  ]);
  return fold.into.map((table, index) => {
    const rows = made.find((one) => one.table.name === table.name)?.rows ?? [];
    const kept = new Set(rows.map((row) => keyOf(table, row)));
    const gone = (stored[index] ?? []).filter((row) => !kept.has(keyOf(table, row)));
    return { table, rows: [...rows, ...gone.map(toTombstone)], isNew: stored[index]?.length === 0 };
  });
}

/** Stores what changed. Resolves to how many rows that were. */
export async function writeSlice(store: Pick<Store, "insert">, made: readonly MadeRows[]): Promise<number> {
  let stored = 0;
  for (const { table, rows, isNew } of made) {
    stored += (await store.insert(table, rows, isNew ? "absent" : undefined)).stored;
  }
  return stored;
}

/** Keys of the rows that are stored for a slice. */
function readKeys(
  fold: Fold,
  read: FoldReader,
  table: TableDefinition,
  { keys, from, to }: FoldSlice,
): Promise<InsertRow[]> {
  const day = name(fold.day);
  const until = to === undefined ? nothing : sql`AND ${day} <= toDate(${bind("String", to)})`;
  const columns = joined(
    table.key.map((column) => sql`${textOf(table, column)} AS ${fromDefinition(`key_${column}`)}`),
    sql`, `,
  );
  return read
    .rows<Record<string, string>>(
      sql`SELECT ${columns} FROM ${sortedByKey(fold, table)} FINAL WHERE ${isOneOf(name(fold.key), keys, keyLength(fold))} AND ${day} >= toDate(${bind("String", from)}) ${until} AND NOT is_gone`,
    )
    .then((rows) =>
      rows.map((row) => Object.fromEntries(table.key.map((column) => [column, row[`key_${column}`] ?? ""]))),
    );
}

const toTombstone = (row: InsertRow): InsertRow => Object.assign({}, row, { is_gone: true });

const keyOf = ({ key }: TableDefinition, row: InsertRow): string => key.map((column) => String(row[column])).join(" ");
