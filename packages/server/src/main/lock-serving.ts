import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { tryLockFolder, type FolderLock } from "../records/folder-lock.ts";

/** Only one process writes the indexes of a data folder; undefined if another one does. */
export function lockServing(dataDir: string, log: Pick<Logger, "warn">): FolderLock | undefined {
  const folder = join(dataDir, "serving");
  mkdirSync(folder, { recursive: true });
  const lock = tryLockFolder(join(folder, "lock"));
  if (lock === undefined)
    log.warn(
      { folder },
      "another process has locked the serving indexes of this folder; here the column engine answers. Give each process its own ALMANAC_DATA_DIR",
    );
  return lock;
}
