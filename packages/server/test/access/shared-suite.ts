import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Allowances, Claimant } from "../../src/access/allowances.ts";
import type { Pace } from "../../src/access/caller.ts";

const ms = (seconds: number): number => Math.round(seconds * 1000);

/** Keys of one account, each with a limit of its own or none. */
export function keysOf(plan: Pace, keyPaces: readonly (Pace | null)[]): Claimant[] {
  const accountId = randomUUID();
  return keyPaces.map((keyPace) => ({ keyId: randomUUID(), accountId, plan, keyPace }));
}

const pace = (requestsPerMinute: number, burst: number): Pace => ({ requestsPerMinute, burst });
const paces = fc.record({
  requestsPerMinute: fc.integer({ min: 1, max: 100_000 }),
  burst: fc.integer({ min: 1, max: 100 }),
});
const turns = fc.array(
  fc.record({
    key: fc.nat({ max: 2 }),
    pause: fc.integer({ min: 0, max: 5000 }),
    units: fc.integer({ min: 1, max: 150 }),
  }),
  { minLength: 1, maxLength: 60, size: "max" },
);
const keyPaces = fc.array(fc.option(paces), { minLength: 3, maxLength: 3 });

/**
 * Limits shared by the keys of one account, for every store of allowances; `runs` is the number of runs per property.
 */
export function sharedSuite(make: (clock: () => number) => Allowances, runs: number): void {
  describe("keys of an account", () => {
    test("share its burst, however many there are, and another account has its own", async () => {
      const allowances = make(() => 1_000_000);
      const keys = keysOf(
        pace(60, 10),
        Array.from({ length: 7 }, () => null),
      );
      const taken = [];
      for (let turn = 0; turn < 40; turn += 1) {
        for (const key of keys) taken.push(await allowances.take(key));
      }
      expect(taken.filter(({ allowed }) => allowed)).toHaveLength(10);
      expect(taken.at(-1)).toMatchObject({ allowed: false, of: "account", limit: 60, retryAfterSeconds: 1 });
      for (const other of keysOf(pace(60, 10), [null])) expect((await allowances.take(other)).allowed).toBe(true);
    });

    test("have their own limits within it, and a refusal by either bucket takes from neither", async () => {
      let now = 1_000_000;
      const allowances = make(() => now);
      const [slow, free] = keysOf(pace(60, 10), [pace(6, 2), null]) as [Claimant, Claimant];
      expect(await allowances.take(slow)).toMatchObject({ of: "key", limit: 6, burst: 2, remaining: 1 });
      expect(await allowances.take(slow)).toMatchObject({ of: "key", remaining: 0, nextSeconds: 10 });
      for (let turn = 0; turn < 5; turn += 1) {
        expect(await allowances.take(slow)).toMatchObject({ allowed: false, of: "key", retryAfterSeconds: 10 });
      }
      expect(await allowances.take(free)).toMatchObject({ allowed: true, of: "account", remaining: 7 });
      for (let turn = 0; turn < 7; turn += 1) await allowances.take(free);
      now += 10_000;
      // The key has one unit again, and the account ten, which the other key uses up.
      for (let turn = 0; turn < 10; turn += 1) expect((await allowances.take(free)).allowed).toBe(true);
      for (let turn = 0; turn < 5; turn += 1) {
        expect(await allowances.take(slow)).toMatchObject({ allowed: false, of: "account", retryAfterSeconds: 1 });
      }
      now += 1000;
      expect((await allowances.take(slow)).allowed).toBe(true);
    });

    test("get the account's bucket reported if it decides, although the key has a limit", async () => {
      const allowances = make(() => 1_000_000);
      const [wide] = keysOf(pace(60, 3), [pace(600, 100)]) as [Claimant];
      expect(await allowances.peek(wide)).toMatchObject({ of: "account", remaining: 3 });
      expect(await allowances.take(wide)).toMatchObject({ of: "account", limit: 60, burst: 3, remaining: 2 });
    });
  });

  describe("a request of several units", () => {
    test("takes all of them or none, and gets the exact wait", async () => {
      let now = 1_000_000;
      const allowances = make(() => now);
      const [key] = keysOf(pace(60, 10), [null]) as [Claimant];
      expect(await allowances.take(key, 7)).toMatchObject({ allowed: true, remaining: 3 });
      const refused = { allowed: false, remaining: 3, nextSeconds: 1, retryAfterSeconds: 2 };
      for (let turn = 0; turn < 3; turn += 1) expect(await allowances.take(key, 5)).toMatchObject(refused);
      now += 1999;
      expect(await allowances.take(key, 5)).toMatchObject({ allowed: false, retryAfterSeconds: 0.001 });
      now += 1;
      expect(await allowances.take(key, 5)).toMatchObject({ allowed: true, remaining: 0 });
    });

    test("takes the remaining units if one was taken before, or gets that one back", async () => {
      let now = 1_000_000;
      const allowances = make(() => now);
      const [key] = keysOf(pace(60, 10), [pace(60, 4)]) as [Claimant];
      await allowances.take(key);
      expect(await allowances.take(key, 4, 1)).toMatchObject({ allowed: true, of: "key", remaining: 0 });
      now += 2000;
      await allowances.take(key);
      const refused = { allowed: false, of: "key", remaining: 2, retryAfterSeconds: 1 };
      expect(await allowances.take(key, 3, 1)).toMatchObject({ ...refused, other: { of: "account", remaining: 8 } });
      now += 1000;
      expect(await allowances.take(key, 3)).toMatchObject({ allowed: true, remaining: 0 });
    });

    test("leaves the bucket full, not overfull, if a unit is returned after it refilled", async () => {
      let now = 1_000_000;
      const allowances = make(() => now);
      const [key] = keysOf(pace(60, 4), [null]) as [Claimant];
      await allowances.take(key);
      now += 60_000;
      expect(await allowances.take(key, 4, 1)).toMatchObject({ allowed: true, remaining: 0 });
    });

    test("that costs more than the burst is answered from a full bucket, which then goes into debt", async () => {
      let now = 1_000_000;
      const allowances = make(() => now);
      const [key, other] = keysOf(pace(60, 10), [null, null]) as [Claimant, Claimant];
      expect(await allowances.take(key, 25)).toMatchObject({
        allowed: true,
        remaining: 0,
        nextSeconds: 16,
        resetSeconds: 25,
      });
      expect(await allowances.take(other)).toMatchObject({ allowed: false, retryAfterSeconds: 16 });
      now += 15_999;
      expect((await allowances.take(other)).allowed).toBe(false);
      now += 1;
      expect(await allowances.take(other)).toMatchObject({ allowed: true, remaining: 0, nextSeconds: 1 });
      expect(await allowances.take(key, 25)).toMatchObject({ allowed: false, retryAfterSeconds: 10 });
      now += 10_000;
      expect((await allowances.take(key, 25)).allowed).toBe(true);
    });
  });

  test("whatever keys request, a refusal's wait is exact and the reported remaining units are available", async () => {
    await fc.assert(
      fc.asyncProperty(paces, keyPaces, turns, async (plan, own, walk) => {
        let now = 1_700_000_000_000;
        const allowances = make(() => now);
        const keys = keysOf(plan, own);
        for (const { key: place, pause, units } of walk) {
          const key = keys[place] as Claimant;
          now += pause;
          const answer = await allowances.take(key, units);
          if (answer.allowed) {
            const { remaining, nextSeconds } = answer;
            expect(await allowances.peek(key)).toMatchObject({ remaining, nextSeconds, allowed: remaining > 0 });
            if (remaining === 0) {
              now += ms(nextSeconds);
              expect((await allowances.peek(key)).allowed).toBe(true);
            }
            continue;
          }
          const at = now + ms(answer.retryAfterSeconds);
          now = at - 1;
          expect((await allowances.take(key, units)).allowed).toBe(false);
          now = at;
          expect((await allowances.take(key, units)).allowed).toBe(true);
        }
      }),
      { numRuns: runs },
    );
  });

  test("in any time span an account's keys together get no more than its burst and what its rate refills", async () => {
    await fc.assert(
      fc.asyncProperty(paces, keyPaces, turns, async (plan, own, walk) => {
        let now = 1_700_000_000_000;
        const allowances = make(() => now);
        const keys = keysOf(plan, own);
        const allowedAt: number[] = [];
        for (const { key, pause } of walk) {
          now += pause;
          if ((await allowances.take(keys[key] as Claimant)).allowed) allowedAt.push(now);
        }
        for (const [first, from] of allowedAt.entries()) {
          for (const [later, to] of allowedAt.slice(first).entries()) {
            // An expectation per pair would take most of the time of these tests.
            if (later >= plan.burst + Math.floor(((to - from) * plan.requestsPerMinute) / 60_000))
              expect.fail(
                `${later + 1} allowed in ${to - from} ms of ${plan.requestsPerMinute} a minute, burst ${plan.burst}`,
              );
          }
        }
      }),
      { numRuns: runs },
    );
  });
}
