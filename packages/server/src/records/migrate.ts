import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql, type Kysely, type Transaction } from "kysely";
import { RecordsError } from "./records-error.ts";
import type { RecordsSchema } from "./schema.ts";

export type Migration = { readonly number: number; readonly name: string; readonly text: string };

/** Any fixed number: the process that has this lock in the records' database migrates. */
const MIGRATION_LOCK = 7_052_411;

/** The numbered migrations in a folder, from 1 without gaps. */
export async function readMigrations(folder = join(import.meta.dirname, "migrations")): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return await Promise.all(
    names.map(async (name, index) => {
      const number = Number(/^(\d{4})-/.exec(name)?.[1]);
      if (number !== index + 1) throw new Error(`migration ${name} is out of order: ${index + 1} was expected`);
      return { number, name, text: await readFile(join(folder, name), "utf8") };
    }),
  );
}

/**
 * Migrates the records' schema in one transaction, one process at a time. Throws RecordsError for a schema newer than
 * this binary and for an applied migration that was edited.
 */
export async function migrate(db: Kysely<RecordsSchema>, migrations: readonly Migration[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(transaction);
    await makeJournal(transaction);
    const { rows } = await sql<Applied>`select number, name, digest from migrations order by number`.execute(
      transaction,
    );
    requireKnown(rows, migrations);
    for (const migration of migrations.slice(rows.length)) await apply(transaction, migration);
  });
}

/** Creates the table of the applied migrations. */
export async function makeJournal(transaction: Transaction<RecordsSchema>): Promise<void> {
  await sql`create table if not exists migrations (
    number integer primary key, name text not null, digest text not null, applied_at timestamptz not null default now())`.execute(
    transaction,
  );
}

/**
 * Throws RecordsError if records exist whose schema is older than this program's: the program that upgrades them checks
 * first that it can also upgrade the rows that belong to them.
 */
export async function requireNoUpgrade(db: Kysely<RecordsSchema>, migrations: readonly Migration[]): Promise<void> {
  const { rows } = await sql<{ is_held: boolean }>`select to_regclass('migrations') is not null as is_held`.execute(db);
  if (rows[0]?.is_held !== true) return;
  const held = await sql<{ n: number }>`select count(*)::int as n from migrations`.execute(db);
  const applied = held.rows[0]?.n ?? 0;
  if (applied > 0 && applied < migrations.length)
    throw new RecordsError(
      "older_schema",
      `the records are at schema ${applied}, this program's is ${migrations.length}: run 'almanac migrate' first, or start the service, which upgrades the rows with them`,
    );
}

type Applied = { readonly number: number; readonly name: string; readonly digest: string };

function requireKnown(applied: readonly Applied[], migrations: readonly Migration[]): void {
  if (applied.length > migrations.length) {
    throw new RecordsError(
      "newer_schema",
      `the records are at schema ${applied.length}, this program knows up to ${migrations.length}: run the newer version of Almanac, or restore a backup made before it`,
    );
  }
  const edited = applied.find((done, index) => done.digest !== digestOf(migrations[index]?.text ?? ""));
  if (edited) {
    throw new RecordsError(
      "edited_migration",
      `migration ${edited.name} was changed after it was applied to these records`,
    );
  }
}

export async function apply(transaction: Transaction<RecordsSchema>, { number, name, text }: Migration): Promise<void> {
  for (const statement of text.split(/;\s*\n/)) {
    if (statement.trim() !== "") await sql.raw(statement).execute(transaction);
  }
  await sql`insert into migrations (number, name, digest) values (${number}, ${name}, ${digestOf(text)})`.execute(
    transaction,
  );
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");
