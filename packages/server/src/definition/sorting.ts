import type { OrderKey } from "./dataset.ts";
import { sql, type Bound, type Sql } from "./sql.ts";
import { storedAs } from "./filter.ts";

/** One way to sort: by which expression, and how its value is read back from a row for a cursor. */
export type Sort = Pick<OrderKey, "by" | "stored" | "value" | "field">;

/** By an expression that is never null, as it is stored; `field` shows it. */
export const orderKey = (
  by: Sql,
  direction: OrderKey["direction"],
  as: keyof typeof storedAs,
  field: string,
): OrderKey => ({
  by,
  direction,
  stored: storedAs[as],
  value: (row) => (as === "integer" ? Number(row[field]) : String(row[field])),
  field,
});

/** By a field of the answer, where rows are made here: only its value is read back, of a null that of `none`. */
export const byField = (field: string, none?: string): Pick<OrderKey, "value"> => ({
  value: (row) => {
    const value = row[field] ?? none;
    return typeof value === "number" ? value : String(value);
  },
});

/** Newest first, within a moment by where it stands on the chain. */
export const newestOnChainFirst: readonly OrderKey[] = [
  orderKey(sql`ts`, "desc", "seconds", "timestamp"),
  orderKey(sql`tx_hash`, "desc", "hash", "transaction_hash"),
  orderKey(sql`log_index`, "desc", "integer", "log_index"),
];

const EPOCH = "1970-01-01T00:00:00Z";

/** By an amount that is never null. */
export const byAmount = (column: Sql, field: string): Sort => ({
  by: column,
  stored: storedAs.decimal,
  value: (row) => String(row[field]),
  field,
});

/** By a moment in seconds; rows without one come as if it were 1970. */
export const bySecond = (column: Sql, field: string): Sort => ({
  by: sql`coalesce(${column}, toDateTime(0, 'UTC'))`,
  stored: storedAs.seconds,
  value: (row) => String(row[field] ?? EPOCH),
  field,
});

/** By a moment in microseconds; rows without one come as if it were 1970. */
export const byMicrosecond = (column: Sql, field: string): Sort => ({
  by: sql`coalesce(${column}, toDateTime64(0, 6, 'UTC'))`,
  stored: storedAs.micros,
  value: (row) => String(row[field] ?? EPOCH),
  field,
});

/** The order that `sort_by` and `sort_order` ask for (the first sort, descending, without them), made total by a unique key. */
export function sortedBy(
  sorts: Readonly<Record<string, Sort>>,
  asked: { readonly by: Bound | undefined; readonly order: Bound | undefined },
  unique: Sort,
): OrderKey[] {
  const sort = sorts[String(asked.by?.value)] ?? Object.values(sorts)[0];
  if (!sort) throw new TypeError("no sorts");
  return [
    { ...sort, direction: asked.order?.value === "asc" ? "asc" : "desc" },
    { ...unique, direction: "asc" },
  ];
}
