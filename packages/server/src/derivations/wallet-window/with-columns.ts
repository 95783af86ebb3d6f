import { fromDefinition, sql, type Sql } from "../../definition/sql.ts";

/** Names of columns and their expressions. */
export type Layer = Readonly<Record<string, string>>;

/**
 * A subquery with further columns, layer upon layer: each layer's expressions see the columns below it. An expression
 * that others use belongs into a layer of its own: what names it in its own layer has it worked out in full again.
 */
export function withColumns(from: Sql, ...layers: readonly Layer[]): Sql {
  let inner = from;
  for (const layer of layers) {
    const columns = Object.entries(layer).map(([name, expression]) => `${expression} AS ${name}`);
    inner = sql`(SELECT *, ${fromDefinition(columns.join(", "))} FROM ${inner})`;
  }
  return inner;
}
