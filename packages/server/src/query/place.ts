import type { Keys, OrderKey, Place } from "../definition/dataset.ts";
import { bind, joined, sql, type Sql } from "../definition/sql.ts";

export type { Keys, Place };

const AND = sql` AND `;
const TRUE = sql`1`;

/** The condition that a row is at this position. */
export const isAt = ({ after }: Place, order: readonly OrderKey[]): Sql => beyond(order, after);

/**
 * The condition that (a, b, c) lies beyond the given values in the given directions; the leading key is tested
 * separately, so that the engine can prune by it.
 */
function beyond(order: readonly OrderKey[], values: Keys): Sql {
  const bounds = order.map((key, index) => key.stored(bind("String", String(values[index]))));
  const isEqual = (upTo: number): Sql[] =>
    order.slice(0, upTo).map((key, at) => sql`${key.by} = ${bounds[at] ?? TRUE}`);
  const cases = order.map((key, index) => {
    const side = key.direction === "asc" ? sql`>` : sql`<`;
    return sql`(${joined([...isEqual(index), sql`${key.by} ${side} ${bounds[index] ?? TRUE}`], AND)})`;
  });
  const lead = order[0];
  if (lead === undefined) return sql``;
  const bar = lead.direction === "asc" ? sql`>=` : sql`<=`;
  return sql`${lead.by} ${bar} ${bounds[0] ?? TRUE} AND (${joined(cases, sql` OR `)})`;
}
