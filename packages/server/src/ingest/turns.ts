import { bulkhead } from "cockatiel";
import type { InTurn } from "../definition/in-turn.ts";

/** So many works at a time; the others wait. */
export function turns(atOnce: number): InTurn {
  const policy = bulkhead(atOnce, Number.POSITIVE_INFINITY);
  return async (work) => policy.execute(work);
}
