import { bind, sql } from "../definition/sql.ts";
import type { Migration } from "./read-migrations.ts";
import type { Runner } from "./runner.ts";

/** Throws while others may be storing rows of these tables. */
export type RequireAlone = (tables: readonly string[]) => Promise<void>;

/** By it a copy in another layout takes a table's place: what was stored in that since the copy began is lost. */
const TAKING_PLACE = /^EXCHANGE TABLES \w+ AND (\w+)/m;

/** Of the tables that migrations lay anew by a copy, those that have rows in an engine. */
export async function findLaidAnew(at: Runner, missing: readonly Migration[]): Promise<readonly string[]> {
  const laid = missing.flatMap(({ statements }) => statements.flatMap((text) => TAKING_PLACE.exec(text)?.[1] ?? []));
  if (laid.length === 0) return [];
  const filled = await at.rows<{ name: string }>(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN ${bind("Array(String)", laid)} AND total_rows > 0 ORDER BY name`,
  );
  return filled.map(({ name }) => name);
}

/**
 * Has nobody else store while these tables are laid anew: not at the beginning, and not when a copy takes a table's
 * place, for which the check is to be called before every statement.
 */
export async function guardLaidAnew(
  tables: readonly string[],
  requireAlone: RequireAlone = async () => undefined,
): Promise<(statement: string) => Promise<void>> {
  if (tables.length > 0) await requireAlone(tables);
  return async (statement) => {
    const table = TAKING_PLACE.exec(statement)?.[1];
    if (table !== undefined && tables.includes(table)) await requireAlone([table]);
  };
}
