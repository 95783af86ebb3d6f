import { setMaxListeners } from "node:events";
import { array, assert, asyncProperty, boolean, constantFrom, integer, nat, record } from "fast-check";
import { describe, expect, test } from "vitest";
import type { Host } from "../../src/definition/connector.ts";
import { createBudget, type Priority, grantedHost } from "../../src/ingest/budget.ts";
import { manualClock } from "./manual-clock.ts";

const host = (limits: Host["limits"], share = 1): Host => ({ name: "venue", setting: "VENUE_URL", limits, share });
const never = new AbortController().signal;
setMaxListeners(0, never);

type Spent = { at: number; route: string; cost: number; priority: Priority };

function most(spent: readonly Spent[], windowMs: number): number {
  let largest = 0;
  for (const first of spent) {
    const inside = spent.filter(({ at }) => at >= first.at && at < first.at + windowMs);
    largest = Math.max(
      largest,
      inside.reduce((sum, { cost }) => sum + cost, 0),
    );
  }
  return largest;
}

describe("budget", () => {
  test("no window ever exceeds the budget's share of a documented limit, per route or in total", async () => {
    await assert(
      asyncProperty(
        integer({ min: 1, max: 40 }),
        integer({ min: 1, max: 60 }),
        integer({ min: 1, max: 10 }),
        constantFrom(0.5, 0.8, 1),
        array(record({ after: nat(800), isBook: boolean(), isLive: boolean() }), {
          minLength: 1,
          maxLength: 60,
        }),
        async (books, all, perSeconds, share, calls) => {
          const clock = manualClock();
          const budget = createBudget(
            host({ books: { tokens: books, perSeconds }, all: { tokens: all, perSeconds } }, share),
            clock,
          );
          const spent: Spent[] = [];
          for (const { after, isBook, isLive } of calls) {
            await clock.advance(after);
            const route = isBook ? "books" : "all";
            const priority = isLive ? "live" : "backfill";
            void budget
              .take(route, 1, priority, never)
              .then(() => spent.push({ at: clock.now(), route, cost: 1, priority }));
          }
          for (let step = 0; budget.waiting() > 0 && step < 4000; step += 1) await clock.advance(1000);
          await clock.advance(0);
          expect(spent).toHaveLength(calls.length);
          const windowMs = perSeconds * 1000;
          expect(most(spent, windowMs)).toBeLessThanOrEqual(Math.max(1, all * share) + 1e-6);
          const onBooks = spent.filter(({ route }) => route === "books");
          expect(most(onBooks, windowMs)).toBeLessThanOrEqual(Math.max(1, books * share) + 1e-6);
        },
      ),
      { numRuns: 30 },
    );
  });

  test("drains a documented bucket to its share at once and refills it at its rate, weighing costs", async () => {
    const clock = manualClock();
    const budget = createBudget(host({ all: { tokens: 200, perSeconds: 1, burst: 600 } }, 0.5), clock);
    let gone = 0;
    for (let call = 0; call < 100; call += 1) void budget.take("all", 10, "live", never).then(() => (gone += 1));
    await clock.advance(0);
    expect(gone).toBe(30);
    await clock.advance(1000);
    expect(gone).toBe(40);
    await clock.advance(6000);
    expect(gone).toBe(100);
  });

  test("serves live calls before backfills that have waited longer, and backfills use what live calls leave", async () => {
    const clock = manualClock();
    const budget = createBudget(host({ all: { tokens: 10, perSeconds: 1, burst: 1 } }), clock);
    const order: Priority[] = [];
    const take = (priority: Priority): void =>
      void budget.take("all", 1, priority, never).then(() => order.push(priority));
    take("live");
    for (let call = 0; call < 20; call += 1) take("backfill");
    for (let cycle = 0; cycle < 10; cycle += 1) {
      take("live");
      await clock.advance(200);
    }
    expect(order.slice(0, 9)).toEqual([
      "live",
      "live",
      "backfill",
      "live",
      "backfill",
      "live",
      "backfill",
      "live",
      "backfill",
    ]);
  });

  test("live calls that use the entire budget leave backfills exactly one call in twenty", async () => {
    const clock = manualClock();
    const budget = createBudget(host({ all: { tokens: 10, perSeconds: 1, burst: 10 } }), clock);
    const gone = { live: 0, backfill: 0 };
    const take = (priority: Priority): void =>
      void budget.take("all", 1, priority, never).then(() => (gone[priority] += 1));
    for (let call = 0; call < 100; call += 1) take("backfill");
    await clock.advance(0);
    gone.backfill = 0;
    for (let call = 0; call < 1500; call += 1) take("live");
    await clock.advance(100_000);
    // 100 seconds at 10 a second, plus what the backfills left over.
    expect(gone.live + gone.backfill).toBe(1003);
    expect(gone.backfill).toBeGreaterThanOrEqual(48);
    expect(gone.backfill).toBeLessThanOrEqual(52);
  });

  test("a backfill leaves a reserve for the next live call", async () => {
    const clock = manualClock();
    const budget = createBudget(host({ all: { tokens: 100, perSeconds: 10 } }), clock);
    for (let call = 0; call < 50; call += 1) void budget.take("all", 1, "backfill", never);
    await clock.advance(0);
    let isServed = false;
    void budget.take("all", 1, "live", never).then(() => (isServed = true));
    await clock.advance(0);
    expect(isServed).toBe(true);
  });

  test("an exhausted route does not hold up another", async () => {
    const clock = manualClock();
    const budget = createBudget(
      host({ slow: { tokens: 1, perSeconds: 60 }, fast: { tokens: 50, perSeconds: 1 } }),
      clock,
    );
    const served: string[] = [];
    for (const route of ["slow", "slow", "fast"])
      void budget.take(route, 1, "live", never).then(() => served.push(route));
    await clock.advance(0);
    expect(served).toEqual(["slow", "fast"]);
  });

  test("slows down once for simultaneous refusals and recovers its speed slowly", async () => {
    const clock = manualClock();
    const budget = createBudget(host({ all: { tokens: 100, perSeconds: 1 } }), clock);
    for (let refusal = 0; refusal < 5; refusal += 1) budget.ease("all", { by: 0.5 });
    expect(budget.use()["all"]?.factor).toBe(0.5);
    for (let cycle = 0; cycle < 200; cycle += 1) {
      await clock.advance(1000);
      await budget.take("all", 1, "live", never);
      if (cycle === 20) expect(budget.use()["all"]?.factor).toBeLessThan(0.8);
    }
    expect(budget.use()["all"]?.factor).toBe(1);
  });

  test("setting the machine's clock by an hour neither fills nor empties a bucket, nor ends a pause", async () => {
    const clock = manualClock();
    const budget = createBudget(host({ all: { tokens: 100, perSeconds: 1 } }), clock);
    const take = async (): Promise<void> => budget.take("all", 10, "live", never);
    await take();
    clock.set(3_600_000);
    budget.pause("all", 5000);
    clock.set(-7_200_000);
    let isServed = false;
    void take().then(() => (isServed = true));
    await clock.advance(4900);
    expect(isServed).toBe(false);
    await clock.advance(200);
    expect(isServed).toBe(true);
  });

  test("a pause holds every caller on the route until it ends; an aborted caller leaves the queue", async () => {
    const clock = manualClock();
    const budget = createBudget(host({ all: { tokens: 100, perSeconds: 1 } }), clock);
    budget.pause("all", 5000);
    const stop = new AbortController();
    let isServed = false;
    const left = budget.take("all", 1, "live", stop.signal);
    void budget.take("all", 1, "live", never).then(() => (isServed = true));
    stop.abort(new Error("stopping"));
    await expect(left).rejects.toThrow("stopping");
    await clock.advance(4900);
    expect([isServed, budget.waiting()]).toEqual([false, 1]);
    await clock.advance(200);
    expect(isServed).toBe(true);
  });

  test("rejects a route that the host does not document", () => {
    const budget = createBudget(host({ books: { tokens: 1, perSeconds: 1 } }), manualClock());
    expect(() => budget.take("trades", 1, "live", never)).toThrow("no limit for route trades");
  });
});

test("a host that names a setting for its limit uses the value of that setting", () => {
  const documented = { ...host({ all: { tokens: 40, perSeconds: 1, burst: 40 } }, 0.5), granted: "TOKENS" };
  const capacityOf = (settings: Record<string, string>): number | undefined =>
    createBudget(grantedHost(documented, settings), manualClock()).use()["all"]?.capacity;
  expect([capacityOf({}), capacityOf({ TOKENS: "200" })]).toEqual([20, 100]);
  expect(grantedHost(host(documented.limits), { TOKENS: "200" })).toEqual(host(documented.limits));
});
