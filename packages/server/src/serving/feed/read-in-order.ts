import { microText } from "../../definition/value-text.ts";
import type { ServedColumn, ServedTable } from "../../definition/served.ts";
import { bind, joined, name, sql, type Named, type Sql } from "../../definition/sql.ts";
import type { Store } from "../../store/store.ts";
import { tokenOfBytes } from "../../definition/bytes.ts";
import type { NativeBlock } from "./native.ts";
import { firstAt, isStored, newestOf, readBlocks, selectServed } from "./select-served.ts";

/** Rows per statement: some 40 MB. */
const CHUNK_ROWS = 200_000;
const INTEGER_BYTES = 32;
const COMMA = sql`, `;

/**
 * Reads all rows that match a condition in a sort order of the table: by a key and the sort columns, or by these alone.
 * Each statement continues after the last row of the one before.
 */
export async function* readInOrder(
  store: Pick<Store, "read">,
  table: ServedTable,
  { from, key, where }: { readonly from: Named; readonly key: string | undefined; readonly where: Sql },
): AsyncGenerator<NativeBlock, void, void> {
  const sort = table.sort.filter((column) => column !== key && isStored(table.columns[column]));
  const order = key === undefined ? sort : [key, ...sort];
  const by = joined(compared(table, order), COMMA);
  for (let after: Sql | undefined; ;) {
    const chosen = after === undefined ? where : sql`${where} AND ${after}`;
    const statement = sql`${selectServed(table, newestOf(table, from), chosen)} ORDER BY ${by} LIMIT ${bind("UInt64", CHUNK_ROWS)}`;
    let last: NativeBlock | undefined;
    let rows = 0;
    for await (const block of readBlocks(store, statement)) {
      yield block;
      last = block;
      rows += block.count;
    }
    if (last === undefined || rows < CHUNK_ROWS) return;
    after = behind(table, order, last);
  }
}

/** The first part lets the engine use its primary index, the second is exact. */
function behind(table: ServedTable, order: readonly string[], block: NativeBlock): Sql {
  const last = order.map((column) => lastOf(table, column, block));
  const [first, second] = order.map(name) as [Sql, Sql?];
  const way =
    order[0] !== table.sort[0] && second !== undefined
      ? sql`(${first} > ${last[0] as Sql} OR (${first} = ${last[0] as Sql} AND ${second} >= ${last[1] as Sql}))`
      : sql`${first} >= ${last[0] as Sql}`;
  return sql`${way} AND (${joined(compared(table, order), COMMA)}) > (${joined(last, COMMA)})`;
}

/** The columns as SQL for ordering: choices are compared as text, not by their enum numbers. */
export const compared = ({ columns }: ServedTable, order: readonly string[]): Sql[] =>
  order.map((column) => (columns[column]?.kind === "choice" ? sql`toString(${name(column)})` : name(column)));

/** The last value of a column as SQL that compares with the stored values. */
function lastOf(table: ServedTable, column: string, { count, columns }: NativeBlock): Sql {
  const served = table.columns[column] as ServedColumn;
  const { kind } = served;
  const values = columns[column];
  if (kind === "hash" || kind === "wallet") {
    const width = (values as Uint8Array).length / count;
    const bytes = Buffer.from((values as Uint8Array).subarray((count - 1) * width));
    return sql`toFixedString(unhex(${bind("String", bytes.toString("hex"))}), ${width === 20 ? sql`20` : sql`32`})`;
  }
  if (kind === "integer") {
    const bytes = Buffer.from(values as Uint8Array).subarray(-INTEGER_BYTES);
    return sql`${bind("UInt256", tokenOfBytes(bytes))}`;
  }
  const value = values?.[count - 1];
  if (kind === "seconds") return firstAt(table, Number(value));
  if (kind === "millis") return sql`fromUnixTimestamp64Milli(${bind("Int64", String(value))}, 'UTC')`;
  if (kind === "micros") return sql`fromUnixTimestamp64Micro(${bind("Int64", String(value))}, 'UTC')`;
  if (kind === "count") return sql`${bind("UInt64", String(value))}`;
  if (kind === "token") return sql`${bind("UInt256", String(value))}`;
  if (kind === "money") return sql`toDecimal64(${bind("String", microText(value as bigint))}, 6)`;
  return sql`${bind("String", served.kind === "choice" ? String(served.values[Number(value)]) : String(value))}`;
}
