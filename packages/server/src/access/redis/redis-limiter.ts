import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { LimiterMaker } from "../limiter.ts";
import type { OpenRedis } from "./open-redis.ts";

/** Limiters shared between processes; while Redis is away each process counts by itself. */
export function redisLimiter({ client }: OpenRedis): LimiterMaker {
  return (options) =>
    new RateLimiterRedis({
      ...options,
      keyPrefix: `almanac:${options.keyPrefix ?? ""}`,
      storeClient: client,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(options),
    });
}
