import { type Measures, normalCdf } from "./measures.ts";
import type { PartPercentiles } from "./score-factors.ts";

type Ranking = {
  /** Share of the pool below a value, equal ones counted half, 0 to 1; one half for null. */
  readonly placeOf: (value: number | null) => number;
};

/** Percentiles within a pool; nulls are excluded from it. */
export function percentiles(pool: ArrayLike<number | null>): Ranking {
  const sorted = Float64Array.from(Array.from(pool).filter((one) => one !== null)).sort();
  return {
    placeOf: (value) => {
      if (value === null || sorted.length === 0) return 0.5;
      const below = countBelow(sorted, value, false, 0);
      const through = sorted[below] === value ? countBelow(sorted, value, true, below) : below;
      return (below + through) / 2 / sorted.length;
    },
  };
}

/** Number of values below the given one, or also equal to it; at least `least` are known to be. */
function countBelow(sorted: Float64Array, value: number, isInclusive: boolean, least: number): number {
  let low = least;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = sorted[middle] ?? 0;
    if (at < value || (isInclusive && at === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Benjamini-Hochberg: the smallest false discovery rate at which each of these p-values would be accepted, in their
 * order.
 */
export function qValues(pValues: readonly number[]): number[] {
  const count = pValues.length;
  const order = pValues.map((_, index) => index).sort((a, b) => (pValues[b] ?? 0) - (pValues[a] ?? 0));
  const found = pValues.map(() => 1);
  let least = 1;
  for (const [place, index] of order.entries()) {
    least = Math.min(least, ((pValues[index] ?? 1) * count) / (count - place));
    found[index] = least;
  }
  return found;
}

/** A wallet's mean edge, the mean towards which it is shrunk, and its model variance before scaling. */
type EdgeOfWallet = { readonly mean: number; readonly prior: number; readonly variance: number };

/** Lower bound of the between-wallet variance: below it, ranks would depend on rounding. */
export const MIN_BETWEEN = 0.002 ** 2;
const MAX_BETWEEN = 1;
const STEPS = 60;
/** Standard normal quantile of 0.9. */
export const LOWER_TENTH = 1.281_551_565_5;

/**
 * Variance between wallets beyond the variance that their samples explain (Paule and Mandel 1982): the τ² at which Σ
 * (mean − prior)² / (variance + τ²) is the number of wallets less one.
 */
export function betweenVariance(wallets: readonly EdgeOfWallet[]): number {
  let low = MIN_BETWEEN;
  let high = MAX_BETWEEN;
  if (wallets.length < 2) return low;
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    let sum = 0;
    for (const { mean, prior, variance } of wallets) sum += (mean - prior) ** 2 / (variance + middle);
    if (sum > wallets.length - 1) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The shrunk edge, edge·n/(n + k) toward the prior with k = n·variance/τ², and its lower 10 % bound (normal, with the
 * remaining variance).
 */
export function shrink(edge: EdgeOfWallet, between: number): { shrunk: number; low: number } {
  const keeps = between / (between + edge.variance);
  const shrunk = edge.prior + keeps * (edge.mean - edge.prior);
  return { shrunk, low: shrunk - LOWER_TENTH * Math.sqrt(keeps * edge.variance) };
}

/** Data kept of a wallet while the pool is gathered; `prior` is the mean edge towards which its own is shrunk. */
type Member = { readonly wallet: string; readonly measures: Measures; readonly prior: number };

/** Figures by which a pool judges a wallet. */
export type Judgeable = Pick<Measures, "edge" | "variance" | "profit" | "sharpe" | "calm" | "clv" | "breadth">;

type Judged = { readonly parts: PartPercentiles; readonly shrunk: number; readonly low: number };

/** Scales by which a pool's edges are shrunk: the scale of luck (φ) and the variance between wallets (τ²). */
export type PoolScales = { readonly scale: number; readonly between: number };

/** Values by which each part is ranked, for all wallets of a pool in any order; nulls are excluded. */
export type PoolColumns = Readonly<
  Record<"skill" | "profit" | "sharpe" | "calm" | "timing" | "breadth", ArrayLike<number | null>>
>;

/** Returns the percentiles of a wallet's figures in the pool. */
export type Judge = (measures: Judgeable, prior: number) => Judged;

/** All ranked wallets of a category on a day. */
export type Pool = PoolScales & {
  readonly size: number;
  readonly qOf: (wallet: string) => number;
  readonly judge: Judge;
};

export const MIN_SCALE = 0.01;

const edgeOf = (measures: Judgeable, prior: number, scale: number) => ({
  mean: measures.edge,
  prior,
  variance: scale * measures.variance,
});

/** Completes a pool: the scale of luck, the variance between wallets, and the ranking of each part. */
export function createPool(members: readonly Member[]): Pool {
  const scale = scaleOf(members);
  const between = betweenVariance(members.map(({ measures, prior }) => edgeOf(measures, prior, scale)));
  const qs = qValues(members.map(({ measures }) => 1 - normalCdf(measures.z)));
  const qByWallet = new Map(members.map(({ wallet }, index) => [wallet, qs[index] ?? 1]));
  const all = members.map(({ measures }) => measures);
  return {
    size: members.length,
    scale,
    between,
    qOf: (wallet) => qByWallet.get(wallet) ?? 1,
    judge: createJudge(
      { scale, between },
      {
        skill: members.map(({ measures, prior }) => shrink(edgeOf(measures, prior, scale), between).low),
        profit: all.map((one) => one.profit),
        sharpe: all.map((one) => one.sharpe),
        calm: all.map((one) => one.calm),
        timing: all.map((one) => one.clv),
        breadth: all.map((one) => one.breadth),
      },
    ),
  };
}

/** The judge of a pool with known scales and columns. */
export function createJudge({ scale, between }: PoolScales, columns: PoolColumns): Judge {
  const [skill, profit, sharpe] = [
    percentiles(columns.skill),
    percentiles(columns.profit),
    percentiles(columns.sharpe),
  ];
  const [calm, timing, breadth] = [
    percentiles(columns.calm),
    percentiles(columns.timing),
    percentiles(columns.breadth),
  ];
  return (measures, prior) => {
    const { shrunk, low } = shrink(edgeOf(measures, prior, scale), between);
    const parts = {
      skill: skill.placeOf(low),
      profit: profit.placeOf(measures.profit),
      risk: (sharpe.placeOf(measures.sharpe) + calm.placeOf(measures.calm)) / 2,
      timing: timing.placeOf(measures.clv),
      breadth: breadth.placeOf(measures.breadth),
    };
    return { parts, shrunk, low };
  };
}

/** Observed variation of wallets' events about their means, over the variation expected from prices. */
function scaleOf(members: readonly Member[]): number {
  let found = 0;
  let expected = 0;
  for (const { measures } of members) {
    if (measures.events < 2) continue;
    found += (measures.residual * measures.events) / (measures.events - 1);
    expected += measures.expected;
  }
  return expected > 0 ? Math.max(MIN_SCALE, found / expected) : 1;
}
