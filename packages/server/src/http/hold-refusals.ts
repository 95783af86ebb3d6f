import { setTimeout as sleep } from "node:timers/promises";
import { memoryLimiter } from "../access/limiter.ts";
import { placeOf } from "../access/place-of.ts";
import { CallerError } from "../definition/errors.ts";
import type { Bounds } from "./bounds.ts";

type Held = Pick<Bounds, "maxRefusalsOfOne" | "refusalHoldMs">;

/**
 * Holds what was thrown where it refuses a caller who has no key or asks too often, and whose address was refused so
 * many times within the last second: who asks again with every answer then asks no more than once a second on each
 * connection, instead of as often as the process can say no.
 */
export function holdRefusals({
  maxRefusalsOfOne,
  refusalHoldMs,
}: Held): (address: string, error: unknown) => Promise<void> {
  const refusals = memoryLimiter({ keyPrefix: "refusals", points: maxRefusalsOfOne, duration: 1 });
  return async (address, error) => {
    if (!(error instanceof CallerError) || (error.status !== 401 && error.status !== 429)) return;
    const isOver = await refusals.consume(placeOf(address)).then(
      () => false,
      () => true,
    );
    if (isOver) await sleep(refusalHoldMs);
  };
}
