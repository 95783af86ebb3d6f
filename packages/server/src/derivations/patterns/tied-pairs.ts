import type { Evidence, Habit, PairSum } from "./evidence.ts";
import { PATTERN } from "./pattern-constants.ts";
import type { Habits, TiedPair } from "./score-ties.ts";

const MICRO = 1e6;

export type Ties = { readonly pairs: readonly TiedPair[]; readonly habits: ReadonlyMap<string, Habits> };

/** Pairs that matched or echoed each other often enough to be a tie, with the total activity of both. */
export function tiedPairs(evidence: Evidence): Ties {
  const pairs: TiedPair[] = [];
  const habits = new Map<string, Habits>();
  for (const pair of evidence.often) {
    const [x, y] = [evidence.habit(pair.a), evidence.habit(pair.b)];
    if (!x || !y || !(pair.isMatch ? isClosed(pair, x, y) : isAlike(pair, x, y))) continue;
    const [a, b] = [evidence.idOf(pair.a), evidence.idOf(pair.b)];
    habits.set(a, toHabits(a, x));
    habits.set(b, toHabits(b, y));
    pairs.push({
      kind: pair.isMatch ? "match" : "echo",
      a,
      b,
      matches: pair.n,
      fewer: Math.min(pair.up, pair.n - pair.up),
      pair_usd: Number(pair.usd) / MICRO,
      expected: pair.expected,
      times: pair.times,
    });
  }
  return { pairs: pairs.sort(byWallets), habits };
}

function isClosed({ a, b, n, up }: PairSum, x: Habit, y: Habit): boolean {
  const { pairShare, bothWays } = PATTERN.wash;
  return a === b || (n >= pairShare * Math.max(x.fills, y.fills) && Math.min(up, n - up) >= bothWays * n);
}

function isAlike({ n, expected, times }: PairSum, x: Habit, y: Habit): boolean {
  const { occasions, lift, pairShare } = PATTERN.sybil;
  return times >= occasions && n >= lift * expected && n - expected >= pairShare * Math.min(x.entries, y.entries);
}

const toHabits = (id: string, { fills, entries, usd, lastDay }: Habit): Habits => ({
  id,
  fills,
  entries,
  usd: Number(usd) / MICRO,
  last_day: lastDay,
});

function byWallets(one: TiedPair, other: TiedPair): number {
  if (one.a !== other.a) return one.a < other.a ? -1 : 1;
  return one.b < other.b ? -1 : Number(one.b > other.b);
}
