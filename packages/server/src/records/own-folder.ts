import { mkdirSync, statSync } from "node:fs";

const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;

/**
 * Makes a data folder for this user alone where there is none. Throws for one that every user of the machine may write
 * to: whoever may could put a socket, a secret or records of his own in place of ours.
 */
export function openOwnFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { mode } = statSync(dataDir);
  if ((mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0) return;
  const shown = (mode & 0o777).toString(8).padStart(4, "0");
  throw new Error(
    `every user of this machine may write to the data folder ${dataDir} (mode ${shown}): 'chmod o-w ${dataDir}', or set ALMANAC_DATA_DIR to a folder within it, which is made for this user alone`,
  );
}
