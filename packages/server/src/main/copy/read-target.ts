import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { CommandError } from "../../cli/command-error.ts";
import { readConfig, type Config } from "../../config.ts";

/**
 * The settings of a target from a file of NAME=value lines: the one with which the service is started there later.
 * Throws CommandError, ConfigError.
 */
export function readTarget(file: string): Config {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new CommandError(
      3,
      `${file} cannot be read: give the file with the target's settings (NAME=value lines)`,
      error,
    );
  }
  const settings: Record<string, string | undefined> = parseEnv(text);
  if (settings["ALMANAC_DATA_DIR"] === undefined)
    throw new CommandError(2, `${file} has no ALMANAC_DATA_DIR: name the target's data folder there`);
  return readConfig(settings);
}

/** Where rows are, without a password; two places are one where this is the same. */
export function rowsPlace({ clickhouseUrl, dataDir }: Config): string {
  if (clickhouseUrl === undefined) return dataDir;
  return clickhouseUrl
    .split(",")
    .map((each) => `${new URL(each).host}${new URL(each).pathname}`)
    .join(",");
}

/** Where control records are, without a password. */
export function recordsPlace({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl === undefined) return dataDir;
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}
