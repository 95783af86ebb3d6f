import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

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
