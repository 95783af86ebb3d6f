export type Part = "skill" | "profit" | "risk" | "timing" | "breadth";
export type PartPercentiles = Readonly<Record<Part, number>>;

/** Weight of each part's percentile; they sum to 1. */
export const SCORE_WEIGHTS: PartPercentiles = { skill: 0.35, profit: 0.2, risk: 0.2, timing: 0.1, breadth: 0.15 };

/** In the order in which weights are bound as parameters. */
export const PARTS = Object.keys(SCORE_WEIGHTS) as Part[];

const STEPS = 1e9;
/** Irrational, so that no score, a fraction, lies between two steps. */
const OFFSET = Math.SQRT1_2;

/** A score without the last digits, in which floats of equal scores differ; at least 0. */
export const roundedScore = (score: number): number => Math.max(0, Math.floor(score * STEPS + OFFSET) / STEPS);

/** 100 · Σ weight · percentile × penalty, 0 to 100. */
export function scoreOf(parts: PartPercentiles, penalty: number): number {
  let sum = 0;
  for (const part of PARTS) sum += SCORE_WEIGHTS[part] * parts[part];
  return roundedScore(100 * sum * penalty);
}

/** Scores of patterns (0–100; see wallet_patterns), and the average price of the wallet's own entries. */
export type PenaltyInput = {
  readonly wash: number;
  readonly sybil: number;
  readonly farmer: number;
  readonly bothSides: number;
  /** Notional over shares of all purchases; null without any. */
  readonly averageEntry: number | null;
};
export type Penalties = {
  readonly wash: number;
  readonly sybil: number;
  readonly farmer: number;
  readonly maker: number;
};

export const FARMER_ENTRY = 0.95;
export const FARMER = 0.5;
/** Earnings of a maker on both sides are spread, only in part a view: a fifth of the score is deducted. */
export const MAKER_SHARE = 0.2;

/** Factors of the score, each 0 to 1. */
export function penalties({ wash, sybil, farmer, bothSides, averageEntry }: PenaltyInput): Penalties {
  const isFarmer = averageEntry !== null && averageEntry >= FARMER_ENTRY;
  return {
    wash: 1 - share(wash),
    sybil: 1 - share(sybil),
    farmer: Math.min(isFarmer ? FARMER : 1, 1 - FARMER * share(farmer)),
    maker: 1 - MAKER_SHARE * share(bothSides),
  };
}

const share = (score: number): number => Math.min(1, Math.max(0, score / 100));
