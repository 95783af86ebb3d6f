import { statfsSync } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import { DatabaseError, toDatabaseError, RecordsError } from "./records-error.ts";
import { DURABLE_PARAMS, type DurableFiles, durableFiles } from "./durable-files.ts";
import { fillNewDatabase } from "./fill-new-database.ts";
import { openSemaphore } from "./semaphore.ts";
import type { Migration } from "./migrate.ts";
import { openPglite } from "./open-pglite.ts";
import { CUSTOM_PLANS, preparedStatements } from "./prepared-statements.ts";
import { type Session, type Sessions, toCount } from "./session.ts";

const LOCK_FILE = "postmaster.pid";
const WAIT_MS = 10_000;
const BIGINT = 20;
const DATE = 1082;
const MIN_FREE_BYTES = 67_108_864;
/** PGlite starts PostgreSQL with fsync off. */
const NOT_DURABLE = "-F";
/** 16 MB of shared buffers: PostgreSQL writes all of them at each start, and the usual 128 MB would take most of it. */
const BUFFERS = ["-B", "2048"];

/**
 * Sessions of the embedded PostgreSQL in `folder`. It is one backend: sessions take turns, each for as long as it is
 * held, so that transactions never mix. Exactly one process may have a folder open (see folder-lock). A new database
 * starts with the schema of `migrations`.
 */
export async function pgliteSessions(folder: string, migrations: readonly Migration[]): Promise<Sessions> {
  if (!hasRoom(dirname(folder))) throw new RecordsError("disk_full", `the disk of ${dirname(folder)} is full`);
  await requireDatabase(folder, migrations);
  const database = await open(folder);
  const semaphore = openSemaphore();
  let isClosed = false;
  return {
    acquire: async () => {
      const release = await semaphore.acquire(WAIT_MS);
      // The engine answers synchronously within the event loop: a busy caller would starve every socket.
      await setImmediate();
      if (!isClosed) return toSession(database, folder, release);
      release();
      throw new RecordsError("unreachable", "the control records were closed");
    },
    close: async () => {
      const release = await semaphore.acquire(WAIT_MS).catch(() => () => {});
      isClosed = true;
      await close(database);
      release();
    },
  };
}

type Database = {
  readonly pglite: PGlite;
  readonly ask: ReturnType<typeof preparedStatements>;
  readonly files: DurableFiles;
};

async function open(folder: string): Promise<Database> {
  // A process killed while creating its lock file leaves an empty one, which PostgreSQL refuses. We have the folder
  // lock.
  await rm(join(folder, LOCK_FILE), { force: true });
  const files = durableFiles(folder);
  const pglite = await openPglite({
    fs: files.fs,
    startParams: [
      ...PGlite.defaultStartParams.filter((param) => param !== NOT_DURABLE),
      ...DURABLE_PARAMS,
      ...CUSTOM_PLANS,
      ...BUFFERS,
    ],
    parsers: { [BIGINT]: toCount, [DATE]: (text: string) => text },
  });
  return { pglite, ask: preparedStatements(pglite), files };
}

async function close({ pglite, files }: Database): Promise<void> {
  try {
    await pglite.close();
    await files.settled();
  } finally {
    files.close();
  }
}

/** Created under another name and renamed: a killed process leaves nothing that looks like a database. */
async function requireDatabase(folder: string, migrations: readonly Migration[]): Promise<void> {
  if (await stat(folder).catch(() => undefined)) return;
  const draft = `${folder}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await fillNewDatabase(draft, migrations);
  await rename(draft, folder);
}

/** Prefixes of our statements that write nothing: our WITHs never do, and a backup declares, fetches and closes. */
const READS = /^\s*(select|with|begin|start|commit|rollback|set\s+local|declare|fetch|close)\b/i;

/**
 * PostgreSQL stops permanently if it has no space for its next log segment (16 MB), and this embedded engine would end
 * the entire process with it: so writes are refused while there is still space for a clean shutdown. Reads continue.
 */
function requireRoom(text: string, folder: string): void {
  if (READS.test(text) || hasRoom(folder)) return;
  throw new DatabaseError("the disk is full: the control records can be read but not written", { code: "53100" });
}

function hasRoom(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= MIN_FREE_BYTES;
}

function toSession({ ask, files }: Database, folder: string, release: () => void): Session {
  let hasFailed = false;
  return {
    query: async (text, parameters) => {
      try {
        requireRoom(text, folder);
        const { rows, command = "", rowCount = 0 } = await ask(text, parameters);
        await files.settled();
        return { rows, command, rowCount };
      } catch (error) {
        hasFailed = true;
        throw toDatabaseError(error);
      }
    },
    release: () => {
      if (!hasFailed) return release();
      // After any failure roll back, so that the next session does not start inside this transaction.
      ask("rollback", []).then(release, release);
    },
  };
}
