import { mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { TestProject } from "vitest/node";
import { freemem } from "node:os";

const NAME = /^(.*-)(\d+)$/;

/** Creates the folder named by temporaryFolder, and removes it at the end together with those of killed runs. */
export default function keepTemporaryFolder({ config }: TestProject): (() => void) | undefined {
  const folder = config.env["TMPDIR"];
  if (typeof folder !== "string") return undefined;
  const name = NAME.exec(basename(folder))?.[1];
  for (const other of readdirSync(dirname(folder))) {
    const found = NAME.exec(other);
    if (found !== null && found[1] === name && !isAlive(Number(found[2]))) remove(join(dirname(folder), other));
  }
  // PostgreSQL runs as its own user and must be able to traverse to its folder.
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  return () => remove(folder);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });

const MEMORY = "/dev/shm";
const WANTED_BYTES = 6_000_000_000;

/**
 * Base folder for the tests' folders: in memory if the machine has plenty, since the engines write far more than
 * requested and every commit waits for the disk. Undefined leaves it to the system, as does TMPDIR.
 */
export function temporaryFolder(): string | undefined {
  if (process.env["TMPDIR"] !== undefined) return undefined;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const isRoomy = bavail * bsize >= WANTED_BYTES && freemem() >= WANTED_BYTES;
    return isRoomy ? `${MEMORY}/almanac-tests-${process.pid}` : undefined;
  } catch {
    return undefined;
  }
}
