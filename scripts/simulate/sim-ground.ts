import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embeddedSessions } from "../../packages/server/src/records/embedded-sessions.ts";
import { readMigrations } from "../../packages/server/src/records/migrate.ts";
import { recordsOver } from "../../packages/server/src/records/records.ts";
import type { Sessions } from "../../packages/server/src/records/session.ts";
import { openTestStore } from "../../packages/server/test/fixtures/open-test-store.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";

/** Shared by all runs of a process: one column engine with a database for each run, and one database of records. */
export type SimGround = {
  readonly sessions: Sessions;
  /** A migrated database without rows; `close` returns it for reuse. */
  readonly openDatabase: () => Promise<OpenStore>;
  readonly emptyRecords: () => Promise<void>;
  /** A folder of one run. */
  readonly openFolder: () => { readonly folder: string; readonly remove: () => void };
  readonly close: () => Promise<void>;
};

const TABLES = `SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`;

export async function openGround(): Promise<SimGround> {
  const folder = mkdtempSync(join(tmpdir(), "almanac-simulate-"));
  const migrations = await readMigrations();
  // Opened once as a service opens it, which migrates the schema.
  const sessions = await embeddedSessions(join(folder, "records"), migrations);
  const emptied = await findEmpty(sessions);
  // The database outlives every simulated process, so a commit need not reach a disk to survive.
  await requested(sessions, "SET synchronous_commit = off");
  return {
    sessions,
    openDatabase: openTestStore,
    emptyRecords: async () => {
      await requested(sessions, `TRUNCATE ${emptied.join(", ")} RESTART IDENTITY`);
    },
    openFolder: () => {
      const own = mkdtempSync(join(folder, "run-"));
      return { folder: own, remove: () => rmSync(own, { recursive: true, force: true }) };
    },
    close: async () => {
      await recordsOver(sessions).destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Tables that are empty in a new database: those that a run fills. */
async function findEmpty(sessions: Sessions): Promise<string[]> {
  const empty: string[] = [];
  for (const { tablename } of await requested(sessions, TABLES)) {
    const rows = await requested(sessions, `SELECT 1 FROM ${String(tablename)} LIMIT 1`);
    if (rows.length === 0) empty.push(String(tablename));
  }
  return empty;
}

async function requested(sessions: Sessions, text: string) {
  const session = await sessions.acquire();
  try {
    return (await session.query(text, [])).rows;
  } finally {
    session.release();
  }
}
