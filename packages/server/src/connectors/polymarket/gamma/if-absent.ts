import type { TableRows } from "../../../definition/connector.ts";

/** Rows of an old page of the catalogue: they must not stand over what was read since. */
export function ifAbsent({ table, rows }: TableRows): TableRows {
  return { table, rows, mode: "if_absent" };
}
