import { isOneOf } from "../../definition/filter.ts";
import type { Fold, FoldReader, FoldRows, FoldSlice } from "../../definition/fold.ts";
import { isPacked } from "../../definition/packed-rows.ts";
import { bind, name, nothing, sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { Store } from "../../store/store.ts";
import { keyBytes, type KeyBytes } from "./key-bytes.ts";
import { keyLength, sortedByKey } from "./key-sql.ts";
import { withTombstones } from "./with-tombstones.ts";

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
    const keys = stored[index] ?? Buffer.alloc(0);
    const gone = goneOf(keyBytes(table), rows, keys);
    return { table, rows: withTombstones(table, rows, gone), isNew: keys.length === 0 };
  });
}

/** Stores what changed, tables beside each other. Resolves to how many rows that were, or throws, once all have ended. */
export async function writeSlice(store: Pick<Store, "insert">, made: readonly MadeRows[]): Promise<number> {
  const ended = await Promise.allSettled(
    made.map(({ table, rows, isNew }) => store.insert(table, rows, isNew ? "absent" : undefined)),
  );
  let stored = 0;
  for (const one of ended) {
    if (one.status === "rejected") throw one.reason;
    stored += one.value.stored;
  }
  return stored;
}

/** Keys of the rows that are stored for a slice, one after the other. */
function readKeys(
  fold: Fold,
  read: FoldReader,
  table: TableDefinition,
  { keys, from, to }: FoldSlice,
): Promise<Buffer> {
  const day = name(fold.day);
  const until = to === undefined ? nothing : sql`AND ${day} <= toDate(${bind("String", to)})`;
  return read.bytes(
    sql`SELECT ${keyBytes(table).columns} FROM ${sortedByKey(fold, table)} FINAL WHERE ${isOneOf(name(fold.key), keys, keyLength(fold))} AND ${day} >= toDate(${bind("String", from)}) ${until} AND NOT is_gone`,
    "RowBinary",
  );
}

/** Keys that are stored and are not among the rows. */
function goneOf({ length, ofRow }: KeyBytes, rows: FoldRows["rows"], stored: Buffer): string[] {
  if (stored.length === 0) return [];
  const kept = new Set<string>();
  if (isPacked(rows)) for (const start of rows.starts) kept.add(rows.bytes.toString("latin1", start, start + length));
  else for (const row of rows) kept.add(ofRow(row));
  const gone: string[] = [];
  for (let place = 0; place < stored.length; place += length) {
    const key = stored.toString("latin1", place, place + length);
    if (!kept.has(key)) gone.push(key);
  }
  return gone;
}
