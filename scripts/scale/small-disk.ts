import { execFileSync } from "node:child_process";
import { closeSync, cpSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

const PIECE = Buffer.alloc(1_048_576);

export type SmallDisk = {
  readonly fill: () => void;
  readonly free: () => void;
  readonly remove: () => void;
};

/** Puts a disk of its own under a folder, with what the folder holds; undefined where that is not allowed here. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk | undefined {
  const before = `${folder}.before`;
  renameSync(folder, before);
  mkdirSync(folder, { mode: 0o700 });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true });
    renameSync(before, folder);
    return undefined;
  }
  cpSync(before, folder, { recursive: true, preserveTimestamps: true });
  rmSync(before, { recursive: true });
  const filler = join(folder, "filler");
  return {
    fill: () => fill(filler),
    free: () => rmSync(filler, { force: true }),
    remove: () => void execFileSync("umount", ["-l", folder], { stdio: "ignore" }),
  };
}

/** Leaves nothing free. */
function fill(path: string): void {
  const file = openSync(path, "a");
  try {
    for (;;) writeSync(file, PIECE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(file);
  }
}
