import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const TICKS_A_SECOND = 100;

/** Resident memory of a process in MiB, or NaN if the system does not report it. */
export function residentMiB(pid: number): number {
  try {
    const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return Number(found?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Seconds of CPU a process has used since it began, or NaN if the system does not report it. */
export function cpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
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

/** Seconds of CPU used by processes and their descendants that are still alive. */
export function treeCpuSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (cpuSeconds(pid) || 0) + treeCpuSeconds(childrenOf(pid)), 0);
}

/** Processes that use less of a core than this have caught up: periodic work continues. */
const REST_SHARE = 0.3;
const LOOK_MS = 5_000;
const MAX_LOOKS = 36;

/** Waits until processes and their descendants are idle; false if they are still busy after three minutes. */
export async function waitForRest(pids: readonly number[]): Promise<boolean> {
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const before = treeCpuSeconds(pids);
    await sleep(LOOK_MS);
    if (treeCpuSeconds(pids) - before < (REST_SHARE * LOOK_MS) / 1000) return true;
  }
  return false;
}
