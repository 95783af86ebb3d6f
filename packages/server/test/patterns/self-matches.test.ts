import { expect, test } from "vitest";
import { scoreTies, type Habits, type TiedPair } from "../../src/derivations/patterns/score-ties.ts";
import { walletOf } from "./trades.ts";

const pair = (a: number, b: number, matches: number, pair_usd: number): TiedPair => ({
  kind: "match",
  a: walletOf(a),
  b: walletOf(b),
  matches,
  fewer: 0,
  pair_usd,
  expected: 0,
  times: 1,
});
const habits = (id: number, fills: number, usd: number): [string, Habits] => [
  walletOf(id),
  { id: walletOf(id), fills, entries: 0, usd, last_day: 20_605 },
];

test("counts a match of a wallet with itself as both of its fills, with the notional of both", () => {
  // Twelve matches of 100 USD, and nothing else.
  expect(scoreTies([pair(2, 2, 12, 1200)], new Map([habits(2, 24, 2400)]))).toMatchObject([
    { score: 100, n: 12, share: 1, parts: { tier: 1, matches: 12, inside_fills: 1, usd: 2400 } },
  ]);
  // In addition to six matches with wallet 3, and six with others.
  expect(
    scoreTies([pair(2, 2, 12, 1200), pair(2, 3, 6, 600)], new Map([habits(2, 36, 3600), habits(3, 6, 600)])),
  ).toMatchObject([
    { n: 18, share: 0.8333, parts: { inside_fills: 0.8333 } },
    { n: 6, share: 1, parts: { inside_fills: 1, usd: 600 } },
  ]);
});
