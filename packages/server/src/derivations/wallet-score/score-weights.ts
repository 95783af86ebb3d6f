export type Part = "skill" | "profit" | "risk" | "timing" | "breadth";
export type PartPercentiles = Readonly<Record<Part, number>>;

/** Weight of each part's percentile; they sum to 1. */
export const SCORE_WEIGHTS: PartPercentiles = { skill: 0.35, profit: 0.2, risk: 0.2, timing: 0.1, breadth: 0.15 };

/** In the order in which weights are bound as parameters. */
export const PARTS = Object.keys(SCORE_WEIGHTS) as Part[];

/** 100 · Σ weight · percentile × penalty, 0 to 100. */
export function scoreOf(parts: PartPercentiles, penalty: number): number {
  let sum = 0;
  for (const part of PARTS) sum += SCORE_WEIGHTS[part] * parts[part];
  return Math.max(0, 100 * sum * penalty);
}
