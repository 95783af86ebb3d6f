import { describe, test } from "vitest";
import { gatherPnl } from "../../../../scripts/accuracy/pnl/gather-pnl.ts";
import { pollWorld } from "../../../../scripts/verify/poll/poll-world.ts";
import { printPolled } from "../../../../scripts/verify/poll/print-polled.ts";
import { printVerdict } from "../../../../scripts/verify/print-verdict.ts";
import { SOCIAL_STREAMS } from "../../../../scripts/verify/social-streams.ts";
import { verifyWorld } from "../../../../scripts/verify/verify-world.ts";
import { thoroughly } from "../../../../scripts/vitest/thoroughly.ts";

const MOST_MS = 900_000;
const SETTLE_MS = 300_000;
/** What is proven is the same whenever a turn begins. */
const HURRY = 5;
const settled = { settleMs: SETTLE_MS, hurry: HURRY, say: () => undefined };

/** What an ordinary run has the services work out: what is compared. With all of it they do little else. */
const workedOut = (...names: readonly string[]) => ({ workedOut: thoroughly(undefined, names) });

/** Half an hour of the world has few resolutions and few transfers between wallets. */
const isRare = (stream: string): boolean => /^110[56] /.test(stream);

/**
 * With "data" the chain follows over the same store: everything is compared, and the chain's fills take the place of
 * the others. That is what an ordinary run takes.
 */
const SOURCES = thoroughly(["chain", "data"] as const, ["data"] as const);

// A world each, all at once: they mostly wait for streams to take their turns within their budgets.
describe.concurrent("the whole service over the paper exchanges", () => {
  test.for(SOURCES)(
    "answers the world's own truth, row by row (%s)",
    { timeout: MOST_MS },
    async (source, { expect }) => {
      const verdict = await verifyWorld({
        ...settled,
        ...workedOut("polymarket-candles", "book-quotes"),
        source,
        seed: 11,
        days: 0.02,
        liveSeconds: 6,
        books: 60,
        world: thoroughly(
          { events: 25, wallets: 200, kalshi_markets: 25, activity: 2 },
          { events: 14, wallets: 100, kalshi_markets: 14, activity: 2 },
        ),
        // Of candles, the budget of three calls a second would take most of the time; the others are not compared here.
        streamsOff: ["kalshi-candles", ...thoroughly([], ["polymarket-income", "polymarket-tags"]), ...SOCIAL_STREAMS],
      });
      expect(verdict.isAgreed, `\n${printVerdict(verdict)}\n`).toBe(true);
      for (const { stream, truth } of verdict.tallies) expect(truth, stream).toBeGreaterThan(isRare(stream) ? 0 : 20);
    },
  );

  test.for(SOURCES)(
    "gives each trade one id, and keeps it as first seen (%s)",
    { timeout: MOST_MS },
    async (source, { expect }) => {
      const polled = await pollWorld({
        ...settled,
        ...workedOut(),
        source,
        seed: 12,
        days: 0.01,
        seconds: thoroughly(60, 10),
        leastTransactions: 4,
        world: { events: 25, wallets: 200, kalshi_markets: 2, activity: 80 },
      });
      expect(polled.isGood, `\n${printPolled([polled])}\n`).toBe(true);
      expect(polled.tail.truth).toBeGreaterThan(10);
      expect(polled.transactions).toBeGreaterThan(3);
    },
  );

  test("works out every wallet's profit to the last unit", { timeout: MOST_MS }, async ({ expect }) => {
    const { cash, realized, residual, fills } = await gatherPnl({
      ...settled,
      ...workedOut("wallet-days"),
      seed: 5,
      days: 0.06,
      world: { events: 15, wallets: 100, kalshi_markets: 5, activity: 2 },
    });
    expect(fills).toBeGreaterThan(500);
    for (const agreement of [cash, realized, residual]) {
      expect(agreement).toMatchObject({ largestUsd: 0, where: "" });
      expect(agreement.exact).toBe(agreement.all);
      expect(agreement.all).toBeGreaterThan(20);
    }
  });
});
