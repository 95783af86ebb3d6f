import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { xHost } from "../../../src/connectors/x/posts.ts";
import { priceOf } from "../../../src/connectors/x/search/found-posts.ts";
import { SpendingCapReached } from "../../../src/ingest/feed/upstream-errors.ts";
import { createSpending, type Reservation } from "../../../src/ingest/spending.ts";
import { withoutWaits } from "../../ingest/clocks.ts";
import { fileRecords } from "../../records/file-records.ts";

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 8, 10, 12);
const records = fileRecords();
beforeEach(async () => void (await records.db.deleteFrom("spending").execute()));

const at = (clock: { now: number }, capUsd = "1") =>
  createSpending(
    xHost,
    capUsd,
    records.db,
    withoutWaits(() => clock.now),
  );
const spent = async (): Promise<Record<string, number>> => {
  const rows = await records.db.selectFrom("spending").select(["day", "micro_usd"]).orderBy("day").execute();
  return Object.fromEntries(rows.map(({ day, micro_usd }) => [day, micro_usd]));
};

describe("a day's spending", () => {
  it("is reserved before a call and settled after it, to the millionth, across a restart", async () => {
    const clock = { now: NOON };
    const first = at(clock, "1.000001");
    const reserved = await first.reserve(priceOf(100));
    expect(await spent()).toEqual({ "2026-09-10": 500_000 });
    await reserved.settle(35_000);
    const lost = await first.reserve(priceOf(10));
    expect(lost).toBeDefined();
    expect(first.use()).toEqual({ day: "2026-09-10", spentUsd: "0.085000", capUsd: "1.000001" });
    // The process died during the second call: its reservation stays counted.
    const again = at(clock, "1.000001");
    expect(await again.spendable()).toBe(Math.floor((1_000_001 * 13) / 24) - 85_000);
    clock.now += DAY_MS;
    await (await again.reserve(priceOf(20))).settle(100_000);
    expect(await spent()).toEqual({ "2026-09-10": 85_000, "2026-09-11": 100_000 });
  });

  it("releases the cap hour by hour, and nothing in the last minute: a call ends on the day it was counted on", async () => {
    const clock = { now: Date.UTC(2026, 8, 10) };
    const spending = at(clock, "2.4");
    expect(await spending.spendable()).toBe(100_000);
    clock.now += DAY_MS - 3_600_000;
    expect(await spending.spendable()).toBe(2_400_000);
    clock.now += 3_600_000 - 60_000;
    expect(await spending.spendable()).toBe(0);
    await expect(spending.reserve(priceOf(10))).rejects.toBeInstanceOf(SpendingCapReached);
  });

  it("never exceeds the cap, despite any requests, lost or settled calls, concurrency or restarts", async () => {
    const step = fc.record({
      posts: fc.integer({ min: 10, max: 100 }),
      given: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
      minutes: fc.integer({ min: 0, max: 400 }),
      isNew: fc.boolean(),
      together: fc.integer({ min: 1, max: 4 }),
    });
    const cents = fc.integer({ min: 5, max: 300 });
    await fc.assert(
      fc.asyncProperty(cents, fc.array(step, { minLength: 1, maxLength: 25 }), async (cap, steps) => {
        await records.db.deleteFrom("spending").execute();
        const clock = { now: NOON };
        const capUsd = (cap / 100).toFixed(2);
        let spending = at(clock, capUsd);
        const billed: Record<string, number> = {};
        for (const { posts, given, minutes, isNew, together } of steps) {
          clock.now += minutes * 60_000;
          if (isNew) spending = at(clock, capUsd);
          const day = new Date(clock.now).toISOString().slice(0, 10);
          const tries = await Promise.allSettled(
            Array.from({ length: together }, () => spending.reserve(priceOf(posts))),
          );
          for (const one of tries) {
            if (one.status === "rejected") {
              expect(one.reason).toBeInstanceOf(SpendingCapReached);
              continue;
            }
            const reserved: Reservation = one.value;
            const bill = Math.min(posts, given ?? posts) * 5000;
            billed[day] = (billed[day] ?? 0) + bill;
            if (given !== undefined) await reserved.settle(bill);
          }
          for (const [each, sum] of Object.entries(await spent())) {
            expect(sum).toBeLessThanOrEqual(cap * 10_000);
            expect(billed[each] ?? 0).toBeLessThanOrEqual(sum);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});
