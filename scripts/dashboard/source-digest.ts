import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** What a build of the dashboard is made of, from the repository's root: files and folders. */
const SOURCES = [
  "packages/dashboard/index.html",
  "packages/dashboard/package.json",
  "packages/dashboard/public",
  "packages/dashboard/src",
  "packages/dashboard/vite.config.ts",
  "packages/client/package.json",
  "packages/client/src",
  "package-lock.json",
];

/** A digest of every file that a build reads: equal digests, equal builds. */
export function sourceDigest(root: string): string {
  const digest = createHash("sha256");
  for (const file of SOURCES.flatMap((source) => filesOf(join(root, source))).sort()) {
    digest
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return digest.digest("hex");
}

function filesOf(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
