import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../../../../shared/recorded/polymarket/", import.meta.url));

/** Why tests on recorded data are left out; undefined when the recordings are there. */
export const absent = existsSync(ROOT) ? undefined : `no recorded data at ${ROOT}`;

/** Paths of a folder's recorded files that end so, in order. */
export const recordedFiles = (folder: string, ending: string): string[] =>
  readdirSync(`${ROOT}${folder}`)
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => `${folder}/${name}`);

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

/** Rows of a CSV file by its heads; no recording that is read so has quoted fields. */
export function recordedCsv(path: string): Record<string, string>[] {
  const [heads = [], ...rows] = recordedLines(path).map((line) => line.trimEnd().split(","));
  return rows.map((cells) => Object.fromEntries(heads.map((head, index) => [head, cells[index] ?? ""])));
}
