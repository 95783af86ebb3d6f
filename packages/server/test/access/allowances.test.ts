import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryAllowances } from "../../src/access/allowances.ts";
import type { Caller } from "../../src/access/caller.ts";

function caller(requestsPerMinute: number, burst: number, keyId = "key_1"): Caller {
  const plan = { name: "p", requestsPerMinute, burst, maxPage: 100, datasets: "all" as const };
  return { keyId, prefix: "alm_live_abcdef", accountId: "acc_1", plan, datasets: null };
}

/** Milliseconds out of the seconds that are given to the millisecond. */
const ms = (seconds: number): number => Math.round(seconds * 1000);

const plans = fc.record({ rate: fc.integer({ min: 1, max: 100_000 }), burst: fc.integer({ min: 1, max: 500 }) });
const pauses = fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 300 });

describe("allowances", () => {
  test("a rested key may use its whole burst at once, then waits for one request's time", async () => {
    const allowances = memoryAllowances(() => 1_000_000);
    const free = caller(60, 3);
    const taken = [];
    for (let turn = 0; turn < 4; turn += 1) taken.push(await allowances.take(free));
    expect(taken).toEqual([
      { allowed: true, limit: 60, burst: 3, remaining: 2, resetSeconds: 1, retryAfterSeconds: 0 },
      { allowed: true, limit: 60, burst: 3, remaining: 1, resetSeconds: 2, retryAfterSeconds: 0 },
      { allowed: true, limit: 60, burst: 3, remaining: 0, resetSeconds: 3, retryAfterSeconds: 0 },
      { allowed: false, limit: 60, burst: 3, remaining: 0, resetSeconds: 3, retryAfterSeconds: 1 },
    ]);
  });

  test("the wait is exact: a millisecond before it ends a request is refused, at its end it is allowed", async () => {
    await fc.assert(
      fc.asyncProperty(plans, pauses, async ({ rate, burst }, steps) => {
        let now = 1_700_000_000_000;
        const allowances = memoryAllowances(() => now);
        const who = caller(rate, burst);
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
      { numRuns: 150 },
    );
  });

  test("in any span no more is allowed than the burst and what the rate gives; none less to one who always asks", async () => {
    await fc.assert(
      fc.asyncProperty(plans, pauses, async ({ rate, burst }, steps) => {
        let now = 1_700_000_000_000;
        const allowances = memoryAllowances(() => now);
        const who = caller(rate, burst);
        const allowedAt: number[] = [];
        for (const step of steps) {
          now += step;
          if ((await allowances.take(who)).allowed) allowedAt.push(now);
        }
        for (const [first, from] of allowedAt.entries()) {
          for (const [last, to] of allowedAt.entries()) {
            if (last < first) continue;
            expect(last - first + 1).toBeLessThanOrEqual(burst + Math.floor(((to - from) * rate) / 60_000));
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test("one who asks every millisecond for ten minutes gets exactly burst + rate", async () => {
    let now = 0;
    const allowances = memoryAllowances(() => now);
    const who = caller(77, 11);
    let allowed = 0;
    for (now = 0; now <= 600_000; now += 1) if ((await allowances.take(who)).allowed) allowed += 1;
    expect(allowed).toBe(11 + 770);
  });

  test("remaining and reset are true: so many more are allowed now, and after reset the burst is whole", async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.integer({ min: 1, max: 50 }), async ({ rate, burst }, before) => {
        let now = 5_000;
        const allowances = memoryAllowances(() => now);
        const who = caller(rate, burst);
        let answer = await allowances.take(who);
        for (let turn = 1; turn < before; turn += 1) answer = await allowances.take(who);
        now += ms(answer.resetSeconds);
        const after = await allowances.take(who);
        expect(after.remaining).toBe(burst - 1);
        for (let left = after.remaining; left > 0; left -= 1) expect((await allowances.take(who)).allowed).toBe(true);
        expect((await allowances.take(who)).allowed).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  test("keys do not share, and a clock set back gives nothing twice", async () => {
    let now = 100_000;
    const allowances = memoryAllowances(() => now);
    const [one, other] = [caller(60, 1, "key_1"), caller(60, 1, "key_2")];
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

  test("a plan that shrinks takes hold at once", async () => {
    const allowances = memoryAllowances(() => 0);
    await allowances.take(caller(6000, 1000));
    expect(await allowances.take(caller(60, 2))).toMatchObject({ allowed: true, remaining: 1, limit: 60 });
  });
});
