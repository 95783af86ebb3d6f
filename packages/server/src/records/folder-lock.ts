import { chmodSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

export type FolderLock = { readonly release: () => void };

/**
 * Tries to become the only process that has a folder open; undefined if another one has it. SQLite's lock on `file` is
 * the operating system's: it disappears with its holder, so it can never be stale, and two contenders can never both
 * win (which a file with a process id cannot guarantee).
 */
export function tryLockFolder(file: string): FolderLock | undefined {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // Any user who can read the file could lock it.
    chmodSync(file, 0o600);
    database.exec("begin exclusive");
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

const SQLITE_BUSY = 5;
const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
