import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { memoryAllowances, type Allowances, type Claimant } from "../../src/access/allowances.ts";
import { openRedis, type OpenRedis } from "../../src/access/redis/open-redis.ts";
import { redisAllowances } from "../../src/access/redis/redis-limits.ts";
import { redisAbsence, startRedis, type TestRedis } from "./start-redis.ts";
import { sharedSuite } from "./shared-suite.ts";

type Make = (clock: () => number) => Allowances;

const RUNS = thoroughly(150, 50);
const REDIS_RUNS = thoroughly(6, 3);
const absence = redisAbsence();
const log = { warn: () => undefined, info: () => undefined };

/** Has its own ids, so that no test finds another test's state in a shared store. */
function claimant(requestsPerMinute: number, burst: number, accountId: string = randomUUID()): Claimant {
  return { keyId: randomUUID(), accountId, keyPace: null, plan: { requestsPerMinute, burst } };
}

/** Converts seconds, given to the millisecond, to milliseconds. */
const ms = (seconds: number): number => Math.round(seconds * 1000);

const plans = fc.record({ rate: fc.integer({ min: 1, max: 100_000 }), burst: fc.integer({ min: 1, max: 500 }) });
const paces = plans.map(({ rate, burst }) => ({ requestsPerMinute: rate, burst }));
const pausesOf = (maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength, size: "max" });

/** One suite for every store of allowances; `runs` is the number of runs per property. */
function allowancesSuite(make: Make, runs: number): void {
  test("an idle account may use its whole burst at once, then waits for one request's time", async () => {
    const allowances = make(() => 1_000_000);
    const free = claimant(60, 3);
    const taken = [];
    for (let turn = 0; turn < 4; turn += 1) taken.push(await allowances.take(free));
    const reported = { of: "account", limit: 60, burst: 3, nextSeconds: 1 };
    expect(taken).toEqual([
      { ...reported, allowed: true, remaining: 2, resetSeconds: 1, retryAfterSeconds: 0 },
      { ...reported, allowed: true, remaining: 1, resetSeconds: 2, retryAfterSeconds: 0 },
      { ...reported, allowed: true, remaining: 0, resetSeconds: 3, retryAfterSeconds: 0 },
      { ...reported, allowed: false, remaining: 0, resetSeconds: 3, retryAfterSeconds: 1 },
    ]);
  });

  test("the wait is exact: a request is refused a millisecond before it ends and allowed at its end", async () => {
    await fc.assert(
      fc.asyncProperty(plans, pausesOf(60), async ({ rate, burst }, steps) => {
        let now = 1_700_000_000_000;
        const allowances = make(() => now);
        const who = claimant(rate, burst);
        for (const step of steps) {
          now += step;
          const answer = await allowances.take(who);
          if (answer.allowed) continue;
          const wait = ms(answer.retryAfterSeconds);
          expect(wait).toBeGreaterThan(0);
          const at = now;
          now = at + wait - 1;
          expect((await allowances.take(who)).allowed).toBe(false);
          now = at + wait;
          expect((await allowances.take(who)).allowed).toBe(true);
        }
      }),
      { numRuns: runs },
    );
  });

  test("allows no more in any time span than the burst and what the rate refills", async () => {
    await fc.assert(
      fc.asyncProperty(plans, pausesOf(60), async ({ rate, burst }, steps) => {
        let now = 1_700_000_000_000;
        const allowances = make(() => now);
        const who = claimant(rate, burst);
        const allowedAt: number[] = [];
        for (const step of steps) {
          now += step;
          if ((await allowances.take(who)).allowed) allowedAt.push(now);
        }
        for (const [first, from] of allowedAt.entries()) {
          for (const [later, to] of allowedAt.slice(first).entries()) {
            if (later + 1 > burst + Math.floor(((to - from) * rate) / 60_000))
              expect.fail(`${later + 1} allowed in ${to - from} ms at ${rate} a minute and a burst of ${burst}`);
          }
        }
      }),
      { numRuns: runs },
    );
  });

  test("a client that sends four requests a second for five minutes gets exactly burst + rate", async () => {
    let now = 0;
    const allowances = make(() => now);
    const who = claimant(77, 11);
    let allowed = 0;
    for (now = 0; now <= 300_000; now += 250) if ((await allowances.take(who)).allowed) allowed += 1;
    expect(allowed).toBe(11 + 385);
  });

  test("remaining and reset are exact: that many more are allowed now, and after reset the burst is full", async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.integer({ min: 1, max: 50 }), async ({ rate, burst }, before) => {
        let now = 5_000;
        const allowances = make(() => now);
        const who = claimant(rate, burst);
        let answer = await allowances.take(who);
        for (let turn = 1; turn < before; turn += 1) answer = await allowances.take(who);
        now += ms(answer.resetSeconds);
        const after = await allowances.take(who);
        expect(after.remaining).toBe(burst - 1);
        for (let left = after.remaining; left > 0; left -= 1) expect((await allowances.take(who)).allowed).toBe(true);
        expect((await allowances.take(who)).allowed).toBe(false);
      }),
      { numRuns: Math.ceil(runs / 3) },
    );
  });

  test("nextSeconds is exact: remaining is unchanged a millisecond before and grows when it has passed", async () => {
    await fc.assert(
      fc.asyncProperty(plans, pausesOf(20), async ({ rate, burst }, steps) => {
        let now = 1_700_000_000_000;
        const allowances = make(() => now);
        const who = claimant(rate, burst);
        for (const step of steps) {
          now += step;
          const { remaining, nextSeconds } = await allowances.take(who);
          const at = now + ms(nextSeconds);
          // At more than 60,000 a minute several units return within a millisecond.
          now = at - 1;
          expect((await allowances.peek(who)).remaining).toBe(remaining);
          now = at;
          expect((await allowances.peek(who)).remaining).toBeGreaterThan(remaining);
        }
      }),
      { numRuns: runs },
    );
  });

  test("peek takes nothing and returns the current state", async () => {
    let now = 100_000;
    const allowances = make(() => now);
    const who = claimant(60, 2);
    const full = {
      allowed: true,
      of: "account",
      limit: 60,
      burst: 2,
      remaining: 2,
      resetSeconds: 0,
      nextSeconds: 0,
      retryAfterSeconds: 0,
    };
    for (let turn = 0; turn < 5; turn += 1) expect(await allowances.peek(who)).toEqual(full);
    await allowances.take(who);
    await allowances.take(who);
    expect(await allowances.peek(who)).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 1 });
    now += 400;
    expect(await allowances.peek(who)).toMatchObject({ allowed: false, resetSeconds: 1.6, retryAfterSeconds: 0.6 });
    now += 600;
    expect(await allowances.peek(who)).toMatchObject({ allowed: true, remaining: 1, resetSeconds: 1 });
    expect((await allowances.take(who)).allowed).toBe(true);
  });

  test("accounts do not share a bucket, and setting the clock back grants nothing twice", async () => {
    let now = 100_000;
    const allowances = make(() => now);
    const [one, other] = [claimant(60, 1), claimant(60, 1)];
    expect((await allowances.take(one)).allowed).toBe(true);
    expect((await allowances.take(one)).allowed).toBe(false);
    expect((await allowances.take(other)).allowed).toBe(true);
    now = 50_000;
    expect((await allowances.take(one)).allowed).toBe(false);
    now = 100_999;
    expect((await allowances.take(one)).allowed).toBe(false);
    now = 101_000;
    expect((await allowances.take(one)).allowed).toBe(true);
  });

  test("a reduced plan takes effect immediately", async () => {
    const allowances = make(() => 0);
    const who = claimant(6000, 1000);
    await allowances.take(who);
    expect(await allowances.take(claimant(60, 2, who.accountId))).toMatchObject({
      allowed: true,
      remaining: 1,
      limit: 60,
    });
  });

  test("counts exactly with the largest plan that can be stored", async () => {
    const allowances = make(() => 1_700_000_000_000);
    const most = 2_147_483_647;
    const who = claimant(most, most);
    await allowances.take(who);
    expect(await allowances.take(who)).toMatchObject({ allowed: true, remaining: most - 2, resetSeconds: 0.001 });
    const slow = claimant(1, most);
    await allowances.take(slow);
    expect(await allowances.take(slow)).toMatchObject({ allowed: true, remaining: most - 2, resetSeconds: 120 });
  });
}

describe("in memory", () => {
  allowancesSuite(memoryAllowances, RUNS);
  sharedSuite(memoryAllowances, RUNS);

  test("refills the least recently used bucket if there are more buckets than there is room for", async () => {
    const allowances = memoryAllowances(() => 0, 3);
    const [one, two, three, four] = [claimant(1, 1), claimant(1, 1), claimant(1, 1), claimant(1, 1)];
    for (const who of [one, two, three]) await allowances.take(who);
    expect((await allowances.take(one)).allowed).toBe(false);
    expect((await allowances.take(four)).allowed).toBe(true);
    expect((await allowances.peek(one)).allowed).toBe(false);
    expect((await allowances.peek(two)).allowed).toBe(true);
  });
});

describe.skipIf(absence !== undefined)(`in Redis${absence === undefined ? "" : ` (${absence})`}`, () => {
  let server: TestRedis;
  let redis: OpenRedis;
  beforeAll(async () => {
    server = await startRedis();
    const metrics = { here: () => undefined, without: () => missed.push(1) };
    // Late replies are answered from memory: a busy machine must not change what is tested here.
    redis = await openRedis(server.url, { log, metrics, commandMs: 10_000 });
  });
  afterAll(async () => {
    await redis?.close();
    await server?.stop();
  });
  const missed: number[] = [];
  const make: Make = (clock) => redisAllowances(redis, memoryAllowances(clock), clock);

  allowancesSuite(make, REDIS_RUNS);
  sharedSuite(make, REDIS_RUNS);

  test("memory and Redis agree at every step, whatever the plan, the pauses and the order of calls", async () => {
    const step = fc.record({
      pause: fc.integer({ min: -2000, max: 20_000 }),
      how: fc.constantFrom("take", "take", "take", "peek"),
      plan: plans,
      keyId: fc.constantFrom("one", "other"),
      keyPace: fc.option(paces),
      units: fc.integer({ min: 1, max: 600 }),
      held: fc.constantFrom(0, 0, 1, 1, 30),
    });
    const steps = fc.array(step, { minLength: 1, maxLength: 80, size: "max" });
    await fc.assert(
      fc.asyncProperty(plans, steps, fc.boolean(), async (first, walk, changes) => {
        let now = 1_700_000_000_000;
        const accountId = randomUUID();
        const [here, there] = [memoryAllowances(() => now), make(() => now)];
        for (const { pause, how, plan, keyId, keyPace, units, held } of walk) {
          now += pause;
          const { rate, burst } = changes ? plan : first;
          const who = { ...claimant(rate, burst, accountId), keyId, keyPace };
          const ask = ({ take, peek }: Allowances) => (how === "peek" ? peek(who) : take(who, units, held));
          expect(await ask(there)).toEqual(await ask(here));
        }
      }),
      { numRuns: thoroughly(15, 8) },
    );
    expect(missed).toEqual([]);
  });
});
