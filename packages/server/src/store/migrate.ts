import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { bind, sql } from "../definition/sql.ts";
import type { OpenStore } from "./open-store.ts";

const JOURNAL = `CREATE TABLE IF NOT EXISTS schema_migrations (number UInt32, name String, digest String, applied_at DateTime('UTC') DEFAULT now('UTC')) ENGINE = ReplacingMergeTree ORDER BY number`;

type Migration = {
  readonly number: number;
  readonly name: string;
  readonly digest: string;
  readonly statements: readonly string[];
};

/** Applies the numbered migrations a store lacks. Throws where the store is newer than this program or a file was changed. */
export async function migrate(store: OpenStore, folder: string): Promise<readonly string[]> {
  await store.run({ kind: "sql", text: JOURNAL, values: [] });
  const applied = await store.rows<{ number: number; digest: string }>(
    sql`SELECT number, digest FROM schema_migrations FINAL ORDER BY number`,
  );
  const known = readMigrations(folder);
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
  const missing = known.slice(applied.length);
  for (const migration of missing) {
    for (const text of migration.statements) await store.run({ kind: "sql", text: filled(text, store), values: [] });
    await store.run(
      sql`INSERT INTO schema_migrations (number, name, digest) VALUES (${bind("UInt32", migration.number)}, ${bind("String", migration.name)}, ${bind("String", migration.digest)})`,
    );
  }
  return missing.map((migration) => migration.name);
}

function readMigrations(folder: string): Migration[] {
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

const quotedSafely = (value: string): string => value.replace(/[\\']/g, "\\$&");

/** A dictionary reads its table as this user; its secrets are not known when the migration is written. */
function filled(text: string, store: OpenStore): string {
  const { user, password, database } = store.address;
  return text
    .replaceAll("@USER@", quotedSafely(user))
    .replaceAll("@PASSWORD@", quotedSafely(password))
    .replaceAll("@DATABASE@", quotedSafely(database));
}
