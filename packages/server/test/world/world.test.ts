import { beforeAll, describe, expect, test } from "vitest";
import type { PnlVerdict } from "../../../../scripts/accuracy/pnl/compare-pnl.ts";
import { settledPnl } from "../../../../scripts/accuracy/pnl/gather-pnl.ts";
import { printVerdict } from "../../../../scripts/verify/print-verdict.ts";
import { printPolled } from "../../../../scripts/verify/poll/print-polled.ts";
import { TradePoll, type Polled } from "../../../../scripts/verify/poll/trade-poll.ts";
import { SOCIAL_STREAMS } from "../../../../scripts/verify/social-streams.ts";
import { verifyWorld, type Verdict } from "../../../../scripts/verify/verify-world.ts";
import { thoroughly } from "../../../../scripts/vitest/thoroughly.ts";
import { expectExact } from "./expect-exact.ts";

const MAX_MS = 900_000;
/** What an ordinary run has the services work out: what is compared. With all of it they do little else. */
const WORKED_OUT = ["polymarket-candles", "book-quotes", "wallet-days"];
/** An ordinary run's world is shorter and as much livelier: as many rows come while it is looked at, fewer lie behind. */
const SIZE = thoroughly(
  { days: 0.03, events: 25, kalshi_markets: 25, activity: 6 },
  { days: 0.02, events: 12, kalshi_markets: 12, activity: 9 },
);

/** Half an hour of the world has few resolutions and few transfers between wallets. */
const isRare = (stream: string): boolean => /^110[56] /.test(stream);

/**
 * With "data" the chain follows over the same store: everything is compared, and the chain's fills take the place of
 * the others. That is what an ordinary run takes.
 */
const SOURCES = thoroughly(["chain", "data"] as const, ["data"] as const);

// One world, which rows, callers who poll and wallets' profits are held against: each alone takes a service or two more.
describe.each(SOURCES)("the whole service over the paper exchanges (%s)", (source) => {
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
      // Of candles, the budget of three calls a second would take most of the time; the others are not compared here.
      streamsOff: ["kalshi-candles", ...thoroughly([], ["polymarket-income", "polymarket-tags"]), ...SOCIAL_STREAMS],
      settleMs: 300_000,
      // What is proven is the same whenever a turn begins.
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

  test("answers the world's own truth, row by row", () => {
    expect(verdict.isAgreed, `\n${printVerdict(verdict)}\n`).toBe(true);
    for (const { stream, truth } of verdict.tallies) expect(truth, stream).toBeGreaterThan(isRare(stream) ? 0 : 20);
  });

  test("gives each trade one id, and keeps it as first seen", () => {
    expect(polled.isGood, `\n${printPolled([polled])}\n`).toBe(true);
    expect(polled.tail.truth).toBeGreaterThan(10);
    expect(polled.transactions).toBeGreaterThan(3);
  });

  test("works out every wallet's profit to the last unit", () => expectExact(pnl));
});
