import { bind, fromDefinition, joined, sql, type Sql } from "../../definition/sql.ts";
import type { MovedColumn, MovedTable } from "./moved-table.ts";

/**
 * A piece of a table: rows whose leading column lies between two values (`from` included, `to` not; hex of binary
 * columns, else the engine's text), of these a share by the hash of their key where one value alone has too many.
 */
export type Slice = {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly share?: { readonly index: number; readonly of: number } | undefined;
};

/** The first column of the sort order that tells many rows apart. */
export function sliceColumn({ orderBy, columns, name }: MovedTable): MovedColumn {
  const ordered = orderBy.map((column) => columns.find((one) => one.name === column));
  const found = ordered.find((column) => column !== undefined && !column.stored.startsWith("Enum")) ?? ordered[0];
  if (found === undefined) throw new TypeError(`${name} has no sort order`);
  return found;
}

/** A column as the text in which slices name its values. */
export const sliceText = ({ name, stored }: MovedColumn): string =>
  stored.startsWith("FixedString") ? `hex(${name})` : `toString(${name})`;

/** The rows of a slice. */
export function sliceSql(table: MovedTable, { from, to, share }: Slice): Sql {
  const column = sliceColumn(table);
  const name = fromDefinition(column.name);
  const conditions = [
    ...(from === undefined ? [] : [sql`${name} >= ${valueOf(column, from)}`]),
    ...(to === undefined ? [] : [sql`${name} < ${valueOf(column, to)}`]),
    ...(share === undefined
      ? []
      : [sql`${keyHash(table)} % ${bind("UInt32", share.of)} = ${bind("UInt32", share.index)}`]),
  ];
  return all(conditions);
}

/** A number from a row's key. */
export const keyHash = ({ key }: MovedTable): Sql => fromDefinition(`cityHash64(${key.join(", ")})`);

/** Conditions that all hold; true where there are none. */
export function all(conditions: readonly Sql[]): Sql {
  const held = conditions.filter(({ text }) => text !== "");
  if (held.length === 0) return sql`1`;
  return joined(
    held.map((condition) => sql`(${condition})`),
    sql` AND `,
  );
}

function valueOf({ stored }: MovedColumn, text: string): Sql {
  const length = /^FixedString\((\d+)\)$/.exec(stored)?.[1];
  if (length !== undefined) return sql`toFixedString(unhex(${bind("String", text)}), ${fromDefinition(length)})`;
  return sql`${bind(stored.replace(/^LowCardinality\((.*)\)$/, "$1"), text)}`;
}
