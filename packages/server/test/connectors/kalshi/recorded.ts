import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const ROOT = new URL("../../../../../../shared/recorded/kalshi/", import.meta.url);

/** Reason why the tests on recorded answers cannot run; undefined if they can. */
export const noRecordings = existsSync(ROOT) ? undefined : "the recorded answers (../shared/recorded) are not here";

export function readRecorded(path: string): unknown {
  return JSON.parse(readRecordedText(path));
}

export function readRecordedText(path: string): string {
  const bytes = readFileSync(new URL(path, ROOT));
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

/** The answer inside one of the golden fixtures of January 2026. */
export function readGolden(name: string): unknown {
  return (readRecorded(`golden_fixtures/${name}_response.json`) as { response: unknown }).response;
}
