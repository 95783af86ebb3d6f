import { bulkhead } from "cockatiel";
import type { InTurn } from "../definition/in-turn.ts";

/** Limits concurrency: other work waits. */
export function createLimiter(atOnce: number): InTurn {
  const policy = bulkhead(atOnce, Number.POSITIVE_INFINITY);
  return async (work) => policy.execute(work);
}
