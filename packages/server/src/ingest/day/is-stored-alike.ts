import { fromDefinition, joined, name, sql, type Bound, type Sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { Store } from "../../store/store.ts";
import { StoreError } from "../../store/store-error.ts";
import { DAY_READING } from "./day-reading.ts";

/** Number of rows and a hash of all of them, in any order, as the table would hold them. */
const printOf = (rows: Sql, into: TableDefinition, columns: readonly string[]): Sql => {
  const held = columns.map((column) => sql`CAST(${name(column)}, ${literal(into.columns[column]?.stored ?? "")})`);
  return sql`(SELECT tuple(count(), groupBitXor(cityHash64(${joined(held, fromDefinition(", "))}))) FROM ${rows})`;
};

const literal = (type: string): Sql => fromDefinition(`'${type.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`);

/**
 * Whether the rows of a SELECT are those that the table and each of its copies hold of the day; not, where time or
 * memory do not suffice to tell. Throws StoreError.
 */
export async function isStoredAlike(
  store: Pick<Store, "rows">,
  into: TableDefinition,
  columns: readonly string[],
  select: Sql,
  day: Bound,
): Promise<boolean> {
  const made = printOf(sql`(${select})`, into, columns);
  const tables = [into.name, ...Object.keys(into.copies ?? {})];
  const held = tables.map((table) => {
    const rows = sql`(SELECT * FROM ${name(table)} FINAL WHERE day = ${day} AND NOT is_gone)`;
    return sql`${printOf(rows, into, columns)} = made`;
  });
  const same = sql`WITH ${made} AS made SELECT ${joined(held, fromDefinition(" AND "))} AS same`;
  try {
    const [found] = await store.rows<{ same: number | boolean }>(same, { settings: DAY_READING });
    return Boolean(found?.same);
  } catch (error) {
    if (error instanceof StoreError && (error.kind === "timeout" || error.kind === "memory")) return false;
    throw error;
  }
}
