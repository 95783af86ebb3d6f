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

/** All ranked wallets of a category on a day. */
export type Pool = {
  readonly size: number;
  readonly qOf: (wallet: string) => number;
  /** Where a wallet's figures stand in the pool. */
  readonly judge: (measures: Judgeable, prior: number) => Judged;
};

export const LEAST_SCALE = 0.01;

/** Closes a pool: the scale of luck, the variance between wallets, and the ranking of each part. */
export function createPool(members: readonly Member[]): Pool {
  const scale = scaleOf(members);
  const edgeOf = (measures: Judgeable, prior: number) => ({
    mean: measures.edge,
    prior,
    variance: scale * measures.variance,
  });
  const between = betweenVariance(members.map(({ measures, prior }) => edgeOf(measures, prior)));
  const judgeEdge = (measures: Judgeable, prior: number) => shrink(edgeOf(measures, prior), between);
  const skill = percentiles(members.map(({ measures, prior }) => judgeEdge(measures, prior).low));
  const rank = (of: (measures: Measures) => number | null) => percentiles(members.map(({ measures }) => of(measures)));
  const [profit, sharpe, calm, timing, breadth] = [
    rank((one) => one.profit),
    rank((one) => one.sharpe),
    rank((one) => one.calm),
    rank((one) => one.clv),
    rank((one) => one.breadth),
  ];
  const qs = qValues(members.map(({ measures }) => 1 - normalCdf(measures.z)));
  const qByWallet = new Map(members.map(({ wallet }, index) => [wallet, qs[index] ?? 1]));
  return {
    size: members.length,
    qOf: (wallet) => qByWallet.get(wallet) ?? 1,
    judge: (measures, prior) => {
      const { shrunk, low } = judgeEdge(measures, prior);
      const parts = {
        skill: skill.placeOf(low),
        profit: profit.placeOf(measures.profit),
        risk: (sharpe.placeOf(measures.sharpe) + calm.placeOf(measures.calm)) / 2,
        timing: timing.placeOf(measures.clv),
        breadth: breadth.placeOf(measures.breadth),
      };
      return { parts, shrunk, low };
    },
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
