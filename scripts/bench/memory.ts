import { readFileSync } from "node:fs";

/** Resident memory of a process in MiB, or NaN where the system does not tell. */
export function residentMiB(pid: number): number {
  try {
    const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return Number(found?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** The children of a process. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .trim()
      .split(" ")
      .filter((text) => text !== "")
      .map(Number);
  } catch {
    return [];
  }
}
