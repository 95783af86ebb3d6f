import { tables } from "../../packages/server/src/catalogue.ts";
import { fromDefinition } from "../../packages/server/src/definition/sql.ts";
import { columnsIn, type TableDefinition } from "../../packages/server/src/definition/table.ts";
import type { Store } from "../../packages/server/src/store/store.ts";

/** Payloads are stored as often as they arrive. */
const AS_THEY_CAME = "raw_payloads";

/** Finds duplicate keys, and sort orders that hold other rows than their table: a sentence each. */
export async function findDoubledRows(store: Store): Promise<string[]> {
  const once = tables.filter(({ name }) => name !== AS_THEY_CAME);
  const empty = new Set((await store.rows<{ name: string }>(fromDefinition(EMPTY))).map(({ name }) => name));
  const found = await Promise.all(once.map((table) => problemsOf(store, table, empty)));
  return found.flat();
}

/** Empty tables are skipped: counting them takes as long as counting a few rows. */
const EMPTY = "SELECT name FROM system.tables WHERE database = currentDatabase() AND total_rows = 0";
const NONE = { rows: 0, doubled: 0, contents: [] };

async function problemsOf(store: Store, table: TableDefinition, empty: ReadonlySet<string>): Promise<string[]> {
  const countOf = async (name: string, copies: readonly string[]) =>
    empty.has(name) ? NONE : count(store, table, name, copies);
  const copies = Object.keys(table.copies ?? {});
  const own = await countOf(table.name, copies);
  const problems = own.doubled > 0 ? [`${table.name} holds ${own.doubled} rows twice`] : [];
  for (const [place, copy] of copies.entries()) {
    const other = await countOf(copy, [copy]);
    if (other.doubled > 0) problems.push(`${copy} holds ${other.doubled} rows twice`);
    if (other.rows !== own.rows) problems.push(`${copy} holds ${other.rows} rows, ${table.name} holds ${own.rows}`);
    else if (other.contents[0] !== own.contents[place])
      problems.push(`${copy} holds as many rows as ${table.name}, and not the same`);
  }
  return problems;
}

/** `contents`: for each of these copies a hash over the columns it has, to tell two sets of rows apart. */
async function count(store: Store, table: TableDefinition, name: string, copies: readonly string[]) {
  const final = table.engine.startsWith("Replacing") ? " FINAL" : "";
  const contents = copies.map(
    (copy) => `toString(sum(cityHash64(toString(tuple(${comparedIn(table, copy).join(", ")})))))`,
  );
  const counted = `count() AS rows, uniqExact(${table.key.join(", ")}) AS keys, [${contents.join(", ")}] AS contents`;
  const [row] = await store.rows<{ rows: string; keys: string; contents: string[] }>(
    fromDefinition(`SELECT ${counted} FROM ${name}${final}`),
  );
  return { rows: Number(row?.rows), doubled: Number(row?.rows) - Number(row?.keys), contents: row?.contents ?? [] };
}

/** A copy that was restored to the table's rows has them under a later version. */
const comparedIn = (table: TableDefinition, copy: string): string[] =>
  columnsIn(table, copy).filter((column) => column !== "version");
