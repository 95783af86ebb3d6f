import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "./finding.ts";

const GIGABYTE = 1_000_000_000;
const LEAST_BYTES = GIGABYTE;
const LOW_SHARE = 0.1;

/** Whether a data folder can be written and its disk has room. */
export function checkDisk(dataDir: string): Finding {
  const check = "data folder";
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const probe = join(dataDir, `.doctor-${process.pid}`);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    return {
      check,
      state: "fail",
      says: `${dataDir} cannot be written (${(error as Error).message}): give this user the right`,
    };
  }
  const { bavail, blocks, bsize } = statfsSync(dataDir);
  const [free, all] = [bavail * bsize, blocks * bsize];
  const says = `${dataDir}: ${(free / GIGABYTE).toFixed(1)} of ${(all / GIGABYTE).toFixed(1)} GB free`;
  if (free < LEAST_BYTES) return { check, state: "fail", says: `${says}: writes stop soon, make room` };
  return { check, state: free < all * LOW_SHARE ? "warn" : "ok", says };
}
