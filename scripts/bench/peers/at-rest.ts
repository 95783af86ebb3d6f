import { setTimeout as sleep } from "node:timers/promises";
import { treeCpuSeconds } from "../process-use.ts";

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
