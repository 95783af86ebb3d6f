import { pino } from "pino";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRedis, type OpenRedis, createRedisMetrics } from "../../src/access/redis/open-redis.ts";
import { redisLimiter } from "../../src/access/redis/redis-limits.ts";
import { openSignInThrottle, type SignInThrottle } from "../../src/access/limiter.ts";
import { redisAbsence, startRedis, type TestRedis } from "./start-redis.ts";

const EMAIL = "a@example.org";
const absence = redisAbsence();

describe.skipIf(absence !== undefined)(
  `sign-in attempts over Redis${absence === undefined ? "" : ` (${absence})`}`,
  () => {
    let server: TestRedis;
    const opened: OpenRedis[] = [];
    beforeAll(async () => {
      server = await startRedis();
    });
    afterAll(async () => {
      for (const one of opened) await one.close();
      await server.stop();
    });

    /** A throttle with its own connection, as in another process. */
    async function newThrottle(): Promise<SignInThrottle> {
      const redis = await openRedis(server.url, {
        log: pino({ level: "silent" }),
        metrics: createRedisMetrics(new Registry()),
        // Late replies are counted in memory: a busy machine must not change what is tested here.
        commandMs: 10_000,
      });
      opened.push(redis);
      return openSignInThrottle({ perAddress: 5, perEmail: 2, seconds: 60 }, redisLimiter(redis));
    }

    test("are counted across all processes", async () => {
      const [one, other] = [await newThrottle(), await newThrottle()];
      await one.take("203.0.113.1", EMAIL);
      await other.take("203.0.113.1", EMAIL);
      for (const throttle of [one, other]) {
        const refused = await throttle.take("203.0.113.1", EMAIL).catch((error: unknown) => error);
        expect(refused).toMatchObject({ code: "RATE_LIMITED" });
        const { retryAfterSeconds } = refused as { retryAfterSeconds: number };
        expect(retryAfterSeconds).toBeGreaterThan(30);
        expect(retryAfterSeconds).toBeLessThanOrEqual(60);
      }
      await one.giveBack("203.0.113.1", EMAIL);
      await other.take("203.0.113.1", EMAIL);
    });

    test("are counted per process while Redis is down", async () => {
      const throttle = await newThrottle();
      await server.down();
      await throttle.take("203.0.113.2", EMAIL);
      await throttle.take("203.0.113.2", EMAIL);
      await expect(throttle.take("203.0.113.2", EMAIL)).rejects.toMatchObject({ code: "RATE_LIMITED" });
      await throttle.giveBack("203.0.113.2", EMAIL);
      await throttle.take("203.0.113.2", EMAIL);
      await server.up();
    });
  },
);
