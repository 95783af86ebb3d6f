import { bulkhead } from "cockatiel";

/** Begins a work when its turn comes, in the order asked, and ends as it does. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** So many works at a time; the others wait. */
export function turns(atOnce: number): InTurn {
  const policy = bulkhead(atOnce, Number.POSITIVE_INFINITY);
  return async (work) => policy.execute(work);
}
