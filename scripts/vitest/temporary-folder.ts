import { statfsSync } from "node:fs";
import { freemem } from "node:os";

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
