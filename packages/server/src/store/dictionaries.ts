import { createHmac, scryptSync, createHash } from "node:crypto";
import { fromDefinition, sql, type Sql } from "../definition/sql.ts";
import { nodeForm } from "./cluster/node-form.ts";
import type { Address } from "./connection.ts";
import type { Runner } from "./runner.ts";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

export type Migration = {
  readonly number: number;
  readonly name: string;
  readonly digest: string;
  readonly statements: readonly string[];
};

/** The numbered files of a folder, in order. Throws where a number is left out. */
export function readMigrations(folder: string): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort();
  return files.map((file, index) => {
    const number = Number(file.slice(0, 4));
    if (number !== index + 1) throw new Error(`migration ${file} is out of order`);
    const text = readFileSync(join(folder, file), "utf8");
    const statements = text
      .split(/;\s*\n/)
      .map((statement) => statement.trim())
      .filter((statement) => statement !== "");
    return { number, name: file.slice(0, -4), digest: createHash("sha256").update(text).digest("hex"), statements };
  });
}

/** Throws where a store is newer than this program, or a migration was changed after it was applied. */
export function requireKnown(
  known: readonly Migration[],
  applied: readonly { readonly number: number; readonly digest: string }[],
): void {
  const newest = applied.at(-1)?.number ?? 0;
  if (newest > known.length) {
    throw new Error(
      `the store is at migration ${newest}, but this program knows only ${known.length}: use a newer program`,
    );
  }
  for (const { number, digest } of applied) {
    if (known[number - 1]?.digest !== digest)
      throw new Error(`migration ${number} was changed after it was applied: migrations are append-only`);
  }
}

const quotedSafely = (value: string): string => value.replace(/[\\']/g, "\\$&");

/** A dictionary reads its table as this user; its secrets are not known when the migration is written. */
export function filledIn(text: string, { user, password, database }: Address): string {
  const said: Readonly<Record<string, string>> = { "@USER@": user, "@PASSWORD@": password, "@DATABASE@": database };
  // By a function: in a text that is put in, `$` would begin a pattern.
  return text.replaceAll(/@[A-Z]+@/g, (place) => quotedSafely(said[place] ?? place));
}

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
