import { fromDefinition, joined, sql, type Sql } from "../../packages/server/src/definition/sql.ts";
import type { TableDefinition } from "../../packages/server/src/definition/table.ts";
import { textOf } from "../../packages/server/src/ingest/fold/key-sql.ts";
import type { Store } from "../../packages/server/src/store/store.ts";

/** Rows of a table: key as text → the other columns as text. */
export type RowTexts = ReadonlyMap<string, string>;

const MAX_SHOWN = 3;

/** Reads the latest version of each row for which `where` holds; `more` replaces the columns `leftOut`. */
export async function readRowTexts(
  store: Pick<Store, "rows">,
  table: TableDefinition,
  leftOut: ReadonlySet<string>,
  { where, more = sql`''` }: { readonly where: Sql; readonly more?: Sql },
): Promise<RowTexts> {
  const columns = Object.keys(table.columns).filter((column) => !leftOut.has(column) && !table.key.includes(column));
  const textsOf = (of: readonly string[]) =>
    joined(
      of.map((column) => sql`ifNull(${textOf(table, column)}, '')`),
      sql`, ' ', `,
    );
  const rows = await store.rows<{ at: string; held: string }>(
    sql`SELECT concat(${textsOf(table.key)}) AS at, concat(${textsOf(columns)}, ' ', ${more}) AS held FROM ${fromDefinition(table.name)} FINAL WHERE ${where}`,
  );
  return new Map(rows.map(({ at, held }) => [at, held]));
}

/** A sentence for each of the first few rows that differ. */
export function differencesOf(left: RowTexts, right: RowTexts, from: string): string[] {
  const keys = [...new Set([...left.keys(), ...right.keys()])].filter((key) => left.get(key) !== right.get(key));
  const shown = keys.slice(0, MAX_SHOWN).map((key) => {
    return `${key} is ${left.get(key) ?? "absent"} and ${right.get(key) ?? "absent"} by ${from}`;
  });
  return keys.length > MAX_SHOWN ? [...shown, `and ${keys.length - MAX_SHOWN} more`] : shown;
}
