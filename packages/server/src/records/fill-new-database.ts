import { createHash, randomUUID } from "node:crypto";
import { cpSync } from "node:fs";
import { mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Kysely, PGliteDialect } from "kysely";
import { migrate, type Migration } from "./migrate.ts";
import { openPglite } from "./open-pglite.ts";
import type { RecordsSchema } from "./schema.ts";

const CACHE = fileURLToPath(new URL("../../../../node_modules/.cache/almanac/", import.meta.url));

/**
 * Fills an empty folder with a new, migrated PGlite database. Creating one takes seconds, copying one does not: the
 * first is cached alongside the installed packages, keyed by version and migrations, for as long as these are there.
 */
export async function fillNewDatabase(folder: string, migrations: readonly Migration[]): Promise<void> {
  const kept = join(CACHE, `records-${await versionOf()}-${digestOf(migrations)}`);
  if (await stat(kept).catch(() => undefined)) return copyFolder(kept, folder);
  // An empty database needs no syncing, which would make this much slower.
  const dialect = new PGliteDialect({ pglite: await openPglite({ dataDir: folder }) });
  const db = new Kysely<RecordsSchema>({ dialect });
  try {
    await migrate(db, migrations);
  } finally {
    await db.destroy();
  }
  await keep(folder, kept);
}

/** A thousand small files: separate calls from JavaScript take five times the processor time. */
const copyFolder = (from: string, to: string): void => cpSync(from, to, { recursive: true });

/** Does nothing if another process was first or the cache is not writable. */
async function keep(folder: string, kept: string): Promise<void> {
  const draft = `${kept}.${randomUUID()}`;
  try {
    await mkdir(dirname(kept), { recursive: true, mode: 0o700 });
    copyFolder(folder, draft);
    await rename(draft, kept);
  } catch {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
  }
}

function digestOf(migrations: readonly Migration[]): string {
  return createHash("sha256").update(JSON.stringify(migrations)).digest("hex").slice(0, 16);
}

async function versionOf(): Promise<string> {
  const manifest = new URL("../package.json", import.meta.resolve("@electric-sql/pglite"));
  return (JSON.parse(await readFile(manifest, "utf8")) as { version: string }).version;
}
