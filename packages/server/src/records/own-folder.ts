import { lstatSync, type Stats, statSync } from "node:fs";
import { makeFolder } from "../definition/make-folder.ts";

const OTHERS_WRITE = 0o002;
const ROOT = 0;

/**
 * Creates a data folder for this user alone if absent. Throws for a folder of another user, or one that every user of
 * the machine may write to: such a user could replace a socket, a secret or records with their own.
 */
export function openOwnFolder(dataDir: string): void {
  makeFolder(dataDir);
  checkOwnFolder(dataDir);
}

/** Throws for folders that `openOwnFolder` refuses, and if absent. A link must belong to this user (or root) too. */
export function checkOwnFolder(dataDir: string): void {
  const [link, folder] = [lstatSync(dataDir), statSync(dataDir)];
  const stranger = [link, folder].find((stats) => isAnothers(stats));
  if (stranger !== undefined)
    throw new Error(
      `the data folder ${dataDir} belongs to another user (uid ${stranger.uid}): 'chown' it to the user that runs this, or set ALMANAC_DATA_DIR to another folder`,
    );
  if ((folder.mode & OTHERS_WRITE) === 0) return;
  const shown = (folder.mode & 0o7777).toString(8).padStart(4, "0");
  throw new Error(
    `every user of this machine may write to the data folder ${dataDir} (mode ${shown}): 'chmod o-w ${dataDir}', or set ALMANAC_DATA_DIR to a folder within it, which is created for this user alone`,
  );
}

/** Root may write anywhere, so a folder of root's is as safe as our own. */
const isAnothers = ({ uid }: Stats): boolean => uid !== ROOT && uid !== process.getuid?.();
