import { describe, test } from "vitest";
import { gatherPnl } from "../../../../scripts/accuracy/pnl.ts";
import { pollWorld } from "../../../../scripts/verify/poll/poll-world.ts";
import { printPolled } from "../../../../scripts/verify/print-verdict.ts";
import { expectExact } from "./expect-exact.ts";

const MAX_MS = 900_000;
/** The checked results do not depend on when a cycle begins. */
const inExpedite = { settleMs: 300_000, expedite: 5, say: () => undefined };

// One world per test, all concurrent: they mostly wait for streams to run within their rate budgets.
describe.concurrent("the complete service with its own paper exchange, busier and longer than the shared one", () => {
  test.for(["chain", "data"] as const)(
    "gives each trade one id, and does not change a trade once returned (%s)",
    { timeout: MAX_MS },
    async (source, { expect }) => {
      const polled = await pollWorld({
        ...inExpedite,
        source,
        seed: 12,
        days: 0.01,
        seconds: 60,
        minTransactions: 4,
        world: { events: 25, wallets: 200, kalshi_markets: 2, activity: 80 },
      });
      expect(polled.isGood, `\n${printPolled([polled])}\n`).toBe(true);
      expect(polled.tail.truth).toBeGreaterThan(10);
      expect(polled.transactions).toBeGreaterThan(3);
    },
  );

  test("computes every wallet's profit exactly, to the last unit", { timeout: MAX_MS }, async () => {
    const world = { events: 15, wallets: 100, kalshi_markets: 5, activity: 2 };
    expectExact(await gatherPnl({ ...inExpedite, seed: 5, days: 0.06, world }));
  });
});
