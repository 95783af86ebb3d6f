import { createHmac, scryptSync } from "node:crypto";
import { fromDefinition, sql, type Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";
import type { Address, Runner } from "./connection.ts";

const MARK_BYTES = 16;
const KEY_BYTES = 32;
/** Keyed by user and password: deriving one takes 50 ms. */
const keys = new Map<string, Buffer>();

/** Creates the dictionaries that `findStale` finds. */
export async function bringDictionaries(
  at: Runner,
  tables: readonly TableDefinition[],
  address: Address,
): Promise<void> {
  for (const statement of await findStale(at, tables, address)) await at.run(statement);
}

/**
 * Returns the statements for dictionaries that an engine lacks or has in another form: an older one, or one with
 * another user or password than the engine is now accessed with, which may no longer be valid. The dictionary's comment
 * shows that without revealing either.
 */
export async function findStale(
  at: Runner,
  tables: readonly TableDefinition[],
  address: Address,
): Promise<readonly Sql[]> {
  const held = await at.rows<{ name: string; comment: string }>(
    sql`SELECT name, comment FROM system.dictionaries WHERE database = currentDatabase()`,
  );
  return tables.flatMap((table) => {
    if (table.dictionary === undefined) return [];
    const { name } = table.dictionary;
    const text = dictionaryText(table, table.dictionary, address);
    const mark = markOf(text, address);
    const isHeld = held.some((one) => one.name === name && one.comment === mark);
    return isHeld ? [] : [fromDefinition(`${text}\nCOMMENT '${mark}'`)];
  });
}

/** Reveals nothing of the text, which contains the password: each guess costs an attacker one scrypt. */
function markOf(text: string, { user, password }: Address): string {
  const who = JSON.stringify([user, password]);
  const key = keys.get(who) ?? scryptSync(password, `dictionaries of ${user}`, KEY_BYTES);
  keys.set(who, key);
  return createHmac("sha256", key)
    .update(text)
    .digest("hex")
    .slice(0, 2 * MARK_BYTES);
}

const quoted = (value: string): string => `'${value.replace(/[\\']/g, "\\$&")}'`;

/** Keys kept in memory, at about half a kilobyte each once used. */
const CACHED_KEYS = 131_072;

/**
 * A dictionary reads its table as this user, and only the keys that are asked for: a table of all tokens would take a
 * gigabyte, and seconds for each reload. Keys are texts, which the engine's statement quotes; it would write a number
 * of 256 bits as one that it parses as a float.
 */
export function dictionaryText(
  table: TableDefinition,
  dictionary: NonNullable<TableDefinition["dictionary"]>,
  { user, password, database }: Address,
): string {
  const attributes = Object.entries(dictionary.attributes);
  const columns = table.key.map((column) => `  ${column} String`);
  const selected = [...table.key, ...attributes.map(([name, { from }]) => `${from} AS ${name}`)].join(", ");
  const query = `SELECT ${selected} FROM ${database}.${table.name} FINAL`;
  return [
    `CREATE OR REPLACE DICTIONARY ${dictionary.name} (\n${[...columns, ...attributes.map(([name, { type }]) => `  ${name} ${type}`)].join(",\n")}\n)`,
    `PRIMARY KEY ${table.key.join(", ")}`,
    `SOURCE(CLICKHOUSE(USER ${quoted(user)} PASSWORD ${quoted(password)} DB ${quoted(database)} QUERY ${quoted(query)}))`,
    `LAYOUT(COMPLEX_KEY_CACHE(SIZE_IN_CELLS ${CACHED_KEYS}))`,
    "LIFETIME(MIN 30 MAX 60)",
  ].join("\n");
}
