import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Folder of real recordings beside the repository; tests that need it skip when it is absent. */
const folder = join(import.meta.dirname, "../../../../../shared/recorded/polymarket");

export const recordedAbsent = existsSync(folder) ? false : `no recordings at ${folder}`;

export function recordedPath(path: string): string {
  return join(folder, path);
}

export function recorded<T>(path: string): T {
  return JSON.parse(readFileSync(recordedPath(path), "utf8")) as T;
}
