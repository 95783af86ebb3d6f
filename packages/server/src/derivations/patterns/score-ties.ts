import { PATTERN } from "./pattern-constants.ts";

/** A pair as returned by `tiedPairs`. */
export type TiedPair = {
  readonly kind: "match" | "echo";
  readonly a: string;
  readonly b: string;
  readonly matches: number;
  readonly fewer: number;
  readonly pair_usd: number;
  readonly expected: number;
  readonly times: number;
};

export type Habits = {
  readonly id: string;
  readonly fills: number;
  readonly entries: number;
  readonly usd: number;
  /** Days since 1970. */
  readonly last_day: number;
};

export type PatternState = {
  readonly wallet: string;
  readonly pattern: "wash" | "sybil" | "farmer" | "both_sides";
  readonly score: number;
  readonly cluster: readonly string[];
  readonly n: number;
  readonly share: number;
  readonly parts: Readonly<Record<string, number | boolean>>;
};

const round = (value: number, places = 4): number => Number(value.toFixed(places));

/** Closed clusters that trade with each other, and rings that enter alike: one state per wallet in them. */
export function scoreTies(pairs: readonly TiedPair[], habits: ReadonlyMap<string, Habits>): PatternState[] {
  return (["match", "echo"] as const).flatMap((kind) => {
    const own = pairs.filter((pair) => pair.kind === kind);
    const clusters = findClusters(own);
    const pairsOf = new Map<string, TiedPair[]>();
    for (const pair of own) {
      for (const wallet of new Set([pair.a, pair.b])) pairsOf.set(wallet, [...(pairsOf.get(wallet) ?? []), pair]);
    }
    return [...clusters].flatMap(([wallet, cluster]) => {
      const did = habits.get(wallet);
      if (did === undefined) return [];
      return [(kind === "match" ? washState : sybilState)(wallet, cluster, pairsOf.get(wallet) ?? [], did)];
    });
  });
}

/** Number of a match's two fills that belong to one wallet. */
const fillsOfEach = ({ a, b }: TiedPair): number => (a === b ? 2 : 1);

function washState(wallet: string, cluster: readonly string[], pairs: readonly TiedPair[], did: Habits): PatternState {
  const { fullMatches, fullShare } = PATTERN.wash;
  const n = pairs.reduce((sum, { matches }) => sum + matches, 0);
  const isSelf = pairs.some(({ a, b }) => a === b);
  const fills = pairs.reduce((sum, pair) => sum + fillsOfEach(pair) * pair.matches, 0);
  const usd = pairs.reduce((sum, pair) => sum + fillsOfEach(pair) * pair.pair_usd, 0);
  const inside = Math.min(1, fills / did.fills);
  const fewer = pairs.reduce((sum, pair) => sum + pair.fewer, 0);
  const score = 100 * Math.min(1, inside / fullShare) * Math.min(1, n / fullMatches);
  return {
    wallet,
    pattern: "wash",
    score: round(isSelf ? Math.max(score, 50) : score, 2),
    cluster,
    n,
    share: round(Math.min(1, usd / Math.max(did.usd, 1e-6))),
    parts: {
      tier: isSelf ? 1 : 2,
      matches: n,
      inside_fills: round(inside),
      both_ways: round((2 * fewer) / n),
      usd: round(usd, 2),
    },
  };
}

function sybilState(wallet: string, cluster: readonly string[], pairs: readonly TiedPair[], did: Habits): PatternState {
  const { fullEchoes, fullShare } = PATTERN.sybil;
  const most = pairs.reduce((best, pair) =>
    pair.matches - pair.expected > best.matches - best.expected ? pair : best,
  );
  const beyond = Math.max(0, most.matches - most.expected);
  const share = Math.min(1, beyond / Math.max(1, did.entries));
  // Two bots may follow the same signal; three or more are distinguished from chance and fashion more reliably.
  const size = Math.min(1, 0.5 + 0.25 * (cluster.length - 1));
  return {
    wallet,
    pattern: "sybil",
    score: round(100 * Math.min(1, share / fullShare) * Math.min(1, beyond / fullEchoes) * size, 2),
    cluster,
    n: most.matches,
    share: round(share),
    parts: {
      wallets: cluster.length,
      ties: pairs.length,
      echoes: most.matches,
      by_chance: round(most.expected, 2),
      occasions: most.times,
    },
  };
}

/** Two wallets that belong together, as text. */
type Tie = { readonly a: string; readonly b: string };

/** Wallet → its cluster's wallets in ascending order, for all wallets with a tie; by union-find. */
function findClusters(ties: readonly Tie[]): ReadonlyMap<string, readonly string[]> {
  const parents = new Map<string, string>();
  const rootOf = (wallet: string): string => {
    let root = wallet;
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root)) root = next;
    for (let at = wallet; at !== root;) {
      const next = parents.get(at) ?? root;
      parents.set(at, root);
      at = next;
    }
    if (!parents.has(root)) parents.set(root, root);
    return root;
  };
  for (const { a, b } of ties) {
    const [first, second] = [rootOf(a), rootOf(b)];
    if (first !== second) parents.set(first < second ? second : first, first < second ? first : second);
  }
  const members = Map.groupBy([...parents.keys()].sort(), rootOf);
  return new Map([...members.values()].flatMap((wallets) => wallets.map((wallet) => [wallet, wallets] as const)));
}
