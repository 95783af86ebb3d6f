import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { IRateLimiterOptions, RateLimiterAbstract } from "rate-limiter-flexible";
import { CallerError } from "../definition/errors.ts";

export type Limiter = RateLimiterAbstract;
export type LimiterMaker = (options: IRateLimiterOptions) => Limiter;

export const memoryLimiter: LimiterMaker = (options) => new RateLimiterMemory(options);

/** Takes one of a key's points. Throws RATE_LIMITED with the exact wait in whole seconds. */
export async function takePoint(limiter: Limiter, key: string, what: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw new CallerError("RATE_LIMITED", `${what}; wait ${seconds} seconds.`, { retryAfterSeconds: seconds });
  }
}
