import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../../../../shared/recorded/polymarket/", import.meta.url));

/** Why tests on recorded data are left out; undefined when the recordings are there. */
export const absent = existsSync(ROOT) ? undefined : `no recorded data at ${ROOT}`;

/** A recorded file's text, unzipped where it is zipped. */
export function recordedText(path: string): string {
  const bytes = readFileSync(`${ROOT}${path}`);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

export const recordedLines = (path: string): string[] =>
  recordedText(path)
    .split("\n")
    .filter((line) => line !== "");

export const recordedJson = <T>(path: string): T => JSON.parse(recordedText(path)) as T;
