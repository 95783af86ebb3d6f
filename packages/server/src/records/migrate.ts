import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { RecordsError } from "./records-error.ts";
import type { Session, Sessions } from "./session.ts";

export type Migration = { readonly number: number; readonly name: string; readonly text: string };

/** Any fixed number: who holds it in the records' database is the one that migrates. */
const MIGRATION_LOCK = 7_052_411;

/** The numbered migrations in a folder, 1 up without holes. */
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
 * Brings the records' schema up to date in one transaction, one process at a time.
 * Throws RecordsError for a schema that is newer than this binary and for an applied migration that was edited.
 */
export async function migrate(sessions: Sessions, migrations: readonly Migration[]): Promise<void> {
  const session = await sessions.acquire();
  try {
    await session.query("begin", []);
    await session.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`, []);
    await session.query(
      `create table if not exists migrations (
         number integer primary key, name text not null, digest text not null, applied_at timestamptz not null default now())`,
      [],
    );
    const applied = await readApplied(session);
    requireKnown(applied, migrations);
    for (const migration of migrations.slice(applied.length)) await apply(session, migration);
    await session.query("commit", []);
  } finally {
    await session.release();
  }
}

type Applied = { readonly number: number; readonly name: string; readonly digest: string };

async function readApplied(session: Session): Promise<readonly Applied[]> {
  const { rows } = await session.query("select number, name, digest from migrations order by number", []);
  return rows as unknown as readonly Applied[];
}

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

async function apply(session: Session, migration: Migration): Promise<void> {
  for (const statement of migration.text.split(/;\s*\n/)) {
    if (statement.trim() !== "") await session.query(statement, []);
  }
  await session.query("insert into migrations (number, name, digest) values ($1, $2, $3)", [
    migration.number,
    migration.name,
    digestOf(migration.text),
  ]);
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");
