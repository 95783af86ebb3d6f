import type { Measures } from "./measures.ts";
import { normalCdf } from "./normal-cdf.ts";
import { percentiles } from "./percentiles.ts";
import { qValues } from "./q-values.ts";
import type { PartPercentiles } from "./score-weights.ts";
import { betweenVariance, shrink } from "./shrinkage.ts";

/** What is kept of a wallet while the pool is gathered; `prior` is the mean edge that its own is shrunk to. */
export type Member = { readonly wallet: string; readonly measures: Measures; readonly prior: number };

/** What a pool judges a wallet by. */
export type Judgeable = Pick<Measures, "edge" | "variance" | "profit" | "sharpe" | "calm" | "clv" | "breadth">;

export type Judged = { readonly parts: PartPercentiles; readonly shrunk: number; readonly low: number };

/** What a pool's edges are shrunk by: the scale of luck (φ) and the variance between wallets (τ²). */
export type PoolScales = { readonly scale: number; readonly between: number };

/** What each part is ranked by, of all wallets of a pool in any order; nulls are left out. */
export type PoolColumns = Readonly<
  Record<"skill" | "profit" | "sharpe" | "calm" | "timing" | "breadth", ArrayLike<number | null>>
>;

/** Where a wallet's figures stand in the pool. */
export type Judge = (measures: Judgeable, prior: number) => Judged;

/** All ranked wallets of a category on a day. */
export type Pool = PoolScales & {
  readonly size: number;
  readonly qOf: (wallet: string) => number;
  readonly judge: Judge;
};

export const LEAST_SCALE = 0.01;

const edgeOf = (measures: Judgeable, prior: number, scale: number) => ({
  mean: measures.edge,
  prior,
  variance: scale * measures.variance,
});

/** Closes a pool: the scale of luck, the variance between wallets, and the ranking of each part. */
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

/** The judge of a pool of which these are known. */
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

/** How much wallets' events vary about their means, over what prices say that they would. */
function scaleOf(members: readonly Member[]): number {
  let found = 0;
  let expected = 0;
  for (const { measures } of members) {
    if (measures.events < 2) continue;
    found += (measures.residual * measures.events) / (measures.events - 1);
    expected += measures.expected;
  }
  return expected > 0 ? Math.max(LEAST_SCALE, found / expected) : 1;
}
