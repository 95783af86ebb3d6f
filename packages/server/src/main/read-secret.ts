import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, type Config } from "../config.ts";
import { openOwnFolder } from "../records/own-folder.ts";

const MIN_BYTES = 32;

/**
 * Reads the secret that signs cursors: `secretFile`, the same in every answering process, or one created once in the
 * data folder, readable only by its owner. Throws ConfigError for a file that is missing or too short.
 */
export function readSecret({ dataDir, secretFile }: Pick<Config, "dataDir" | "secretFile">): Buffer {
  if (secretFile !== undefined) return readGiven(secretFile);
  openOwnFolder(dataDir);
  const file = join(dataDir, "secret");
  // A power failure may leave the file empty.
  if (!existsSync(file) || readFileSync(file, "utf8").trim() === "") {
    writeFileSync(`${file}.new`, randomBytes(MIN_BYTES).toString("hex"), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return Buffer.from(readFileSync(file, "utf8").trim(), "hex");
}

function readGiven(file: string): Buffer {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new ConfigError([`ALMANAC_SECRET_FILE is ${file}, which cannot be read (${(error as Error).message})`]);
  }
  if (!/^(?:[0-9a-f]{2})+$/i.test(text) || text.length < 2 * MIN_BYTES) {
    throw new ConfigError([
      `ALMANAC_SECRET_FILE is ${file}, which must hold ${MIN_BYTES} bytes or more as hex: 'openssl rand -hex 32' makes them`,
    ]);
  }
  return Buffer.from(text, "hex");
}
