import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SOURCE, type Mutation } from "./mutation.ts";

/** Untracked parts of a checkout, and the sibling folder of recorded answers: linked, not copied. */
const LINKED = ["node_modules", ".tools", "packages/dashboard/dist", "../shared"];

/** Copies a checkout's tracked files as they are now into a temporary folder; `remove` deletes it. */
export function copyCheckout(root: string): { readonly root: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "almanac-mutate-"));
  const copy = join(folder, "almanac");
  const tracked = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root })
    .toString()
    .split("\0")
    .filter((file) => file !== "" && existsSync(join(root, file)));
  const folders = new Set(tracked.map((file) => dirname(join(copy, file))));
  for (const each of folders) mkdirSync(each, { recursive: true });
  for (const file of tracked) copyFileSync(join(root, file), join(copy, file));
  for (const each of LINKED) if (existsSync(join(root, each))) symlinkSync(join(root, each), join(copy, each));
  return { root: copy, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The file with the mutation applied. Throws if its text does not occur exactly once, or if it changes nothing. */
export function mutated(text: string, { id, file, find, replace }: Mutation): string {
  const [before = "", after, ...more] = text.split(find);
  if (after === undefined || more.length > 0)
    throw new Error(
      `stale mutation ${id}: its text occurs ${more.length + (after === undefined ? 0 : 1)} times in ${file}`,
    );
  if (find === replace) throw new Error(`mutation ${id} changes nothing`);
  return before + replace + after;
}

/** Applies a mutation to a checkout; the returned function reverts it. */
export function plant(root: string, mutation: Mutation): () => void {
  const file = join(root, SOURCE, mutation.file);
  const original = readFileSync(file, "utf8");
  writeFileSync(file, mutated(original, mutation));
  return () => writeFileSync(file, original);
}

/** Whether a checkout compiles with all of these applied at once: a mistake that does not compile could never ship. */
export function checkTypes(root: string, mutations: readonly Mutation[]): boolean {
  for (const mutation of mutations) plant(root, mutation);
  const args = ["--noEmit", "-p", "tsconfig.json"];
  return spawnSync(join(root, "node_modules/.bin/tsc"), args, { cwd: root, stdio: "inherit" }).status === 0;
}
