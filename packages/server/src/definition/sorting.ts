import type { OrderKey } from "./dataset.ts";
import { sql, type Bound, type Sql } from "./sql.ts";
import { storedAs } from "./filter.ts";

/** One sort option: its expression, and how its value is read back from a row for a cursor. */
export type Sort = Pick<OrderKey, "by" | "stored" | "value" | "field">;

/** An order key on an expression that is never null, in stored form; `field` shows it. */
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

/** An order key on a response field, for rows built in TypeScript: only its value is read back, `none` for null. */
export const byField = (field: string, none?: string): Pick<OrderKey, "value"> => ({
  value: (row) => {
    const value = row[field] ?? none;
    return typeof value === "number" ? value : String(value);
  },
});

/** Newest first, then by position on the chain. */
export const newestOnChainFirst: readonly OrderKey[] = [
  orderKey(sql`ts`, "desc", "seconds", "timestamp"),
  orderKey(sql`tx_hash`, "desc", "hash", "transaction_hash"),
  orderKey(sql`log_index`, "desc", "integer", "log_index"),
];

const EPOCH = "1970-01-01T00:00:00Z";

/** Sorts by an amount that is never null. */
export const byAmount = (column: Sql, field: string): Sort => ({
  by: column,
  stored: storedAs.decimal,
  value: (row) => String(row[field]),
  field,
});

/** Sorts by a timestamp in seconds; rows without one sort as if it were 1970. */
export const bySecond = (column: Sql, field: string): Sort => ({
  by: sql`coalesce(${column}, toDateTime(0, 'UTC'))`,
  stored: storedAs.seconds,
  value: (row) => String(row[field] ?? EPOCH),
  field,
});

/** Sorts by a timestamp in microseconds; rows without one sort as if it were 1970. */
export const byMicrosecond = (column: Sql, field: string): Sort => ({
  by: sql`coalesce(${column}, toDateTime64(0, 6, 'UTC'))`,
  stored: storedAs.micros,
  value: (row) => String(row[field] ?? EPOCH),
  field,
});

/** The order of `sort_by` and `sort_order` (default: the first sort, descending), made total by a unique key. */
export function sortedBy(
  sorts: Readonly<Record<string, Sort>>,
  requested: { readonly by: Bound | undefined; readonly order: Bound | undefined },
  unique: Sort,
): OrderKey[] {
  const sort = sorts[String(requested.by?.value)] ?? Object.values(sorts)[0];
  if (!sort) throw new TypeError("no sorts");
  return [
    { ...sort, direction: requested.order?.value === "asc" ? "asc" : "desc" },
    { ...unique, direction: "asc" },
  ];
}
