import { beforeAll, describe, expect, test } from "vitest";
import type { PnlVerdict } from "../../../../scripts/accuracy/pnl/compare-pnl.ts";
import { settledPnl } from "../../../../scripts/accuracy/pnl.ts";
import { printVerdict, printPolled } from "../../../../scripts/verify/print-verdict.ts";
import { TradePoll, type Polled } from "../../../../scripts/verify/poll/trade-poll.ts";
import { SOCIAL_STREAMS } from "../../../../scripts/verify/social-streams.ts";
import { verifyWorld, type Verdict } from "../../../../scripts/verify/verify-world.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { expectExact } from "./expect-exact.ts";

const MAX_MS = 900_000;
/** The derivations of an ordinary run: those that are compared. With all of them the services do little else. */
const WORKED_OUT = ["polymarket-candles", "book-quotes", "wallet-days"];
/** An ordinary run's world is shorter but livelier: as many rows arrive during the run, with less history. */
const SIZE = thoroughly(
  { days: 0.03, events: 25, kalshi_markets: 25, activity: 6 },
  { days: 0.02, events: 12, kalshi_markets: 12, activity: 9 },
);

/** Half an hour of the world has few resolutions and few transfers between wallets. */
const isRare = (stream: string): boolean => /^110[56] /.test(stream);

/**
 * With "data" the chain follows over the same store: everything is compared, and the chain's fills replace the others.
 * An ordinary run uses only that.
 */
const SOURCES = thoroughly(["chain", "data"] as const, ["data"] as const);

// Rows, polling callers and wallets' profits are checked against one world: each alone needs another service or two.
describe.each(SOURCES)("the complete service with the paper exchanges (%s)", (source) => {
  let verdict: Verdict;
  let poll: TradePoll;
  let polled: Polled;
  let pnl: PnlVerdict;
  beforeAll(async () => {
    const { days, ...size } = SIZE;
    verdict = await verifyWorld({
      derived: thoroughly(undefined, WORKED_OUT),
      source,
      seed: 11,
      days,
      liveSeconds: 6,
      books: 60,
      world: { ...size, wallets: 100 },
      // Candles would take most of the time at their budget of three calls a second; the others are not compared here.
      streamsOff: ["kalshi-candles", ...thoroughly([], ["polymarket-income", "polymarket-tags"]), ...SOCIAL_STREAMS],
      settleMs: 300_000,
      // The checked results do not depend on when a cycle begins.
      expedite: 5,
      onlooker: {
        live: ({ exchange }, running) => {
          poll = new TradePoll(exchange, running, source);
          return poll.live({ seconds: 6, minTransactions: 6 });
        },
        still: () => poll.still(),
        onChain: async ({ exchange }, running) => {
          if (source === "data") await poll.onChain(running);
          polled = poll.end();
          pnl = await settledPnl(exchange.world, running, () => undefined);
        },
      },
      say: () => undefined,
    });
  }, MAX_MS);

  test("returns exactly the rows of the simulated world", () => {
    expect(verdict.isAgreed, `\n${printVerdict(verdict)}\n`).toBe(true);
    for (const { stream, truth } of verdict.tallies) expect(truth, stream).toBeGreaterThan(isRare(stream) ? 0 : 20);
  });

  test("gives each trade one id, and does not change a trade once returned", () => {
    expect(polled.isGood, `\n${printPolled([polled])}\n`).toBe(true);
    expect(polled.tail.truth).toBeGreaterThan(10);
    expect(polled.transactions).toBeGreaterThan(3);
  });

  test("computes every wallet's profit exactly, to the last unit", () => expectExact(pnl));
});
