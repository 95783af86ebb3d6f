import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../../../../shared/recorded/polymarket/", import.meta.url));

/** Reason why tests on recorded data are skipped; undefined if the recordings exist. */
export const absent = existsSync(ROOT) ? undefined : `no recorded data at ${ROOT}`;

/** Paths of a folder's recorded files with a given ending, sorted. */
export const recordedFiles = (folder: string, ending: string): string[] =>
  readdirSync(`${ROOT}${folder}`)
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => `${folder}/${name}`);

/** A recorded file's text, decompressed if it is gzipped. */
export function recordedText(path: string): string {
  const bytes = readFileSync(`${ROOT}${path}`);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

export const recordedLines = (path: string): string[] =>
  recordedText(path)
    .split("\n")
    .filter((line) => line !== "");

export const recordedJson = <T>(path: string): T => JSON.parse(recordedText(path)) as T;

/** Rows of a CSV file by its header; none of the recordings read this way has quoted fields. */
export function recordedCsv(path: string): Record<string, string>[] {
  const [heads = [], ...rows] = recordedLines(path).map((line) => line.trimEnd().split(","));
  return rows.map((cells) => Object.fromEntries(heads.map((head, index) => [head, cells[index] ?? ""])));
}
