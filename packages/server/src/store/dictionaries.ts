import { createHmac, scryptSync } from "node:crypto";
import { fromDefinition, sql, type Sql } from "../definition/sql.ts";
import { nodeForm } from "./cluster/node-form.ts";
import type { Address } from "./connection.ts";
import { filledIn, type Migration } from "./read-migrations.ts";
import type { Runner } from "./runner.ts";

const NAMED = /^CREATE OR REPLACE DICTIONARY (\w+)/;
const MARK_BYTES = 16;
const KEY_BYTES = 32;
/** By user and password: each takes 50 ms. */
const keys = new Map<string, Buffer>();

/** Makes the dictionaries that `findStale` finds. */
export async function bringDictionaries(at: Runner, migrations: readonly Migration[], address: Address): Promise<void> {
  for (const statement of await findStale(at, migrations, address)) await at.run(statement);
}

/**
 * What makes the dictionaries of migrations that an engine lacks, or has in another form: one of before, or with
 * another user or password than it is asked with now, which may be good no longer. Its comment tells that, and neither.
 */
export async function findStale(
  at: Runner,
  migrations: readonly Migration[],
  address: Address,
): Promise<readonly Sql[]> {
  const held = await at.rows<{ name: string; comment: string }>(
    sql`SELECT name, comment FROM system.dictionaries WHERE database = currentDatabase()`,
  );
  return formsOf(migrations, address).flatMap(([name, text]) => {
    const mark = markOf(text, address);
    const isHeld = held.some((one) => one.name === name && one.comment === mark);
    return isHeld ? [] : [fromDefinition(`${text}\nCOMMENT '${mark}'`)];
  });
}

/** Says nothing of the text, which holds the password: whoever guesses at that needs a scrypt for every guess. */
function markOf(text: string, { user, password }: Address): string {
  const who = JSON.stringify([user, password]);
  const key = keys.get(who) ?? scryptSync(password, `dictionaries of ${user}`, KEY_BYTES);
  keys.set(who, key);
  return createHmac("sha256", key)
    .update(text)
    .digest("hex")
    .slice(0, 2 * MARK_BYTES);
}

/** The newest form of each, by its name. */
function formsOf(migrations: readonly Migration[], address: Address): [string, string][] {
  const made = migrations
    .flatMap(({ statements }) => statements.map((statement) => nodeForm(statement, false)))
    .filter((form) => form.in === "asked")
    .map(({ text }): [string, string] => [NAMED.exec(text)?.[1] ?? "", filledIn(text, address)]);
  return [...new Map(made)];
}
