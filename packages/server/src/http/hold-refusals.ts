import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { memoryLimiter } from "../access/limiter.ts";
import { placeOf } from "../access/place-of.ts";
import { CallerError } from "../definition/errors.ts";
import type { Bounds } from "./bounds.ts";
import type { HttpMetrics } from "./http-metrics.ts";

type Hold = (request: FastifyRequest, error: unknown) => Promise<void>;

/**
 * Delays a 401 or 429 once the caller's address received too many within the last second: a client that retries after
 * every answer then sends at most one request per second on each connection, instead of as many as the process can
 * refuse.
 */
export function holdRefusals(
  { maxRefusalsOfOne, refusalHoldMs }: Pick<Bounds, "maxRefusalsOfOne" | "refusalHoldMs">,
  { refusalHeld }: Pick<HttpMetrics, "refusalHeld">,
): Hold {
  const refusals = memoryLimiter({ keyPrefix: "refusals", points: maxRefusalsOfOne, duration: 1 });
  return async ({ ip, visit }, error) => {
    if (!(error instanceof CallerError) || (error.status !== 401 && error.status !== 429)) return;
    const isOver = await refusals.consume(placeOf(ip)).then(
      () => false,
      () => true,
    );
    if (!isOver) return;
    refusalHeld();
    const from = performance.now();
    await sleep(refusalHoldMs);
    visit.heldMs = performance.now() - from;
  };
}
