import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

export type SmallDisk = {
  /** Fills the disk completely. */
  readonly fill: () => Promise<void>;
  readonly free: () => void;
  readonly remove: () => void;
};

/**
 * Mounts a small disk over a folder and moves the folder's content to it; undefined if mounting is not allowed here.
 */
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
  cpSync(before, folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  rmSync(before, { recursive: true });
  const filler = join(folder, "filler");
  return {
    fill: () => fill(filler),
    free: () => rmSync(filler, { force: true }),
    remove: () => void execFileSync("umount", ["-l", folder], { stdio: "ignore" }),
  };
}

/** Writes large blocks, then small ones. */
async function fill(path: string): Promise<void> {
  for (const bytes of [1_048_576, 4096]) {
    // dd fails once the disk is full.
    await new Promise<void>((resolve) => {
      execFile("dd", ["if=/dev/zero", `of=${path}`, `bs=${bytes}`, "oflag=append", "conv=notrunc"], () => resolve());
    });
  }
}
