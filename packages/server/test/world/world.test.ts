import { describe, test } from "vitest";
import { printVerdict } from "../../../../scripts/verify/print-verdict.ts";
import { SOCIAL_STREAMS } from "../../../../scripts/verify/social-streams.ts";
import { verifyWorld, type VerifyOptions } from "../../../../scripts/verify/verify-world.ts";
import { thoroughly } from "../../../../scripts/vitest/thoroughly.ts";

const small: Omit<VerifyOptions, "source"> = {
  seed: 11,
  days: 0.02,
  liveSeconds: 6,
  books: 60,
  settleMs: 300_000,
  world: { events: 25, wallets: 200, kalshi_markets: 25, activity: 2 },
  // Of candles, the budget of three calls a second would take most of the time; posts are not compared here.
  streamsOff: ["kalshi-candles", ...SOCIAL_STREAMS],
  say: () => undefined,
};

/** Half an hour of the world has few resolutions and few transfers between wallets. */
const isRare = (stream: string): boolean => /^110[56] /.test(stream);

/** With "data" the chain follows over the same store: everything is compared, and the chain's fills take the place of the others. */
const SOURCES = thoroughly(["chain", "data"] as const, ["data"] as const);

// Both mostly wait: for streams to take their turns.
describe.concurrent.each(SOURCES)("what callers are answered, with fills from the %s", (source) => {
  test("is the world's own truth, row by row", { timeout: 900_000 }, async ({ expect }) => {
    const verdict = await verifyWorld({ ...small, source });
    expect(verdict.isAgreed, `\n${printVerdict(verdict)}\n`).toBe(true);
    for (const { stream, truth } of verdict.tallies) expect(truth, stream).toBeGreaterThan(isRare(stream) ? 0 : 20);
  });
});
