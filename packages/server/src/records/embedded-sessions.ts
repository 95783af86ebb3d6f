import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { tryLockFolder, type FolderLock } from "./folder-lock.ts";
import type { Migration } from "./migrate.ts";
import { openOwnFolder } from "./own-folder.ts";
import { pgliteSessions } from "./pglite-sessions.ts";
import { RecordsError } from "./records-error.ts";
import type { Sessions } from "./session.ts";

/** Time to wait for an ending command or a stopping service. */
const WAIT_MS = 20_000;
const RETRY_MS = 50;

/** Records in a data folder, which one process at a time may open. Throws RecordsError "busy" if another one stays. */
export async function embeddedSessions(
  dataDir: string,
  migrations: readonly Migration[],
  waitMs = WAIT_MS,
): Promise<Sessions> {
  openOwnFolder(dataDir);
  const lock = await lockRecords(dataDir, waitMs);
  try {
    const { acquire, close } = await pgliteSessions(join(dataDir, "records"), migrations);
    return { acquire, close: () => close().finally(lock.release) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function lockRecords(dataDir: string, waitMs: number): Promise<FolderLock> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const lock = tryLockFolder(join(dataDir, "records.lock"));
    if (lock) return lock;
    if (performance.now() > deadline)
      throw new RecordsError(
        "busy",
        `another process has the data folder ${dataDir} open: commands reach a running service automatically if their settings name the same stores (ALMANAC_DATA_DIR, CLICKHOUSE_URL, DATABASE_URL); stop any other process first`,
      );
    await sleep(RETRY_MS);
  }
}
