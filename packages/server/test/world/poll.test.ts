import { describe, test } from "vitest";
import { pollWorld } from "../../../../scripts/verify/poll/poll-world.ts";
import { printPolled } from "../../../../scripts/verify/poll/print-polled.ts";
import { thoroughly } from "../../../../scripts/vitest/thoroughly.ts";

/** An ordinary run takes the one that is read by both: the Data API first, then the chain over it. */
const SOURCES = thoroughly(["chain", "data"] as const, ["data"] as const);

// Both mostly wait: for time to pass.
describe.concurrent.each(SOURCES)("the newest trades, polled while the world goes on, fills by the %s", (source) => {
  test("have one id each and stay as they were first seen", { timeout: 600_000 }, async ({ expect }) => {
    const polled = await pollWorld({
      seed: 12,
      days: 0.01,
      source,
      seconds: thoroughly(60, 10),
      leastTransactions: 4,
      settleMs: 300_000,
      world: { events: 25, wallets: 200, kalshi_markets: 2, activity: 80 },
      say: () => undefined,
    });
    expect(polled.isGood, `\n${printPolled([polled])}\n`).toBe(true);
    expect(polled.tail.truth).toBeGreaterThan(10);
    expect(polled.transactions).toBeGreaterThan(3);
  });
});
