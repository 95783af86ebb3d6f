import { bulkhead } from "cockatiel";
import { CallerError } from "../definition/errors.ts";

export type AtOnce = { readonly atOnce: number; readonly waiting: number };
type Refusal = { readonly message: string; readonly retryAfterSeconds: number };

/** Runs work within the bounds; refuses work beyond `waiting` with UNAVAILABLE. */
export function within(
  { atOnce, waiting }: AtOnce,
  { message, retryAfterSeconds }: Refusal,
): <T>(work: () => Promise<T>) => Promise<T> {
  const policy = bulkhead(atOnce, waiting);
  return async (work) => {
    if (policy.executionSlots + policy.queueSlots > 0) return await policy.execute(work);
    throw new CallerError("UNAVAILABLE", message, { retryAfterSeconds });
  };
}
