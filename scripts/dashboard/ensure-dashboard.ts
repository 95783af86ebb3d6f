import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { createHash } from "node:crypto";

/** Inputs of a dashboard build, from the repository's root: files and folders. */
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

/** A digest of every file that a build reads: equal digests mean equal builds. */
function sourceDigest(root: string): string {
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

export type EnsureOptions = {
  /** Called with a line of progress text. */
  readonly say: (text: string) => void;
  /** Builds even if nothing changed. */
  readonly isForced?: boolean;
};

/** File with the digest of the sources that a build was made from; the service does not serve it. */
const STAMP = ".built";

/**
 * Builds packages/dashboard/dist if it is missing or not built from the current sources. Throws when the build fails;
 * the previous build stays. Returns true when something was built.
 */
export function ensureDashboard(root: string, { say, isForced = false }: EnsureOptions): boolean {
  const folder = join(root, "packages/dashboard");
  const dist = join(folder, "dist");
  const digest = sourceDigest(root);
  const stamp = join(dist, STAMP);
  if (!isForced && existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return false;
  const started = performance.now();
  say("building the dashboard…");
  // Built aside, then renamed: a service that starts meanwhile reads all of the old build or all of the new one.
  const fresh = join(folder, `.vite-${process.pid}`);
  const vite = join(root, "node_modules/.bin/vite");
  const args = ["build", "--outDir", fresh, "--emptyOutDir", "--logLevel", "warn"];
  // Vitest sets NODE_ENV=test, for which vite would make a development build.
  const env = { ...process.env, NODE_ENV: "production" };
  const done = spawnSync(vite, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env });
  if (done.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    const why = done.error?.message ?? `${done.stdout}${done.stderr}`.trim();
    throw new Error(`the dashboard could not be built:\n${why}`);
  }
  writeFileSync(join(fresh, STAMP), digest);
  replace(fresh, dist);
  say(`built the dashboard in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return true;
}

function replace(fresh: string, dist: string): void {
  const old = `${fresh}-old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
}
