import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";

/** The folder of recorded real data, next to the repository and not part of it. */
const RECORDINGS = fileURLToPath(new URL("../../../../../shared/recorded/", import.meta.url));

/** Why tests on recorded data are skipped; undefined if the recordings exist. */
export const noRecordings = existsSync(RECORDINGS) ? undefined : `no recorded data at ${RECORDINGS}`;

function textOf(path: string): string {
  const bytes = readFileSync(`${RECORDINGS}${path}`);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

export type RecordedRow = Readonly<Record<string, unknown>>;

export const jsonOf = <T>(path: string): T => JSON.parse(textOf(path)) as T;
export const linesOf = (path: string): RecordedRow[] =>
  textOf(path)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RecordedRow);
