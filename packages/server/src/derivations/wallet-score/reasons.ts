import type { Measures } from "./measures.ts";
import type { Penalties, Part, PartPercentiles } from "./score-factors.ts";

export const HIGH = 0.8;
export const LOW = 0.2;
export const SIGNIFICANT = 0.1;
/** Width of the bounds from which it is named as a reason, if they are drawn. */
export const WIDE = 30;
export const WIDE_INTERVAL = "wide_interval";

/**
 * Words for the reasons of a score: high_… and low_… for parts in the upper and lower fifth of the pool, missing parts,
 * penalties.
 */
export function reasonsOf(parts: PartPercentiles, measures: Measures, factors: Penalties, q: number): string[] {
  const names = Object.keys(parts) as Part[];
  return [
    ...names.filter((part) => parts[part] >= HIGH).map((part) => `high_${part}`),
    ...names.filter((part) => parts[part] <= LOW).map((part) => `low_${part}`),
    ...(q <= SIGNIFICANT ? ["significant_edge"] : []),
    ...(measures.clv === null ? ["no_closing_price"] : []),
    ...(measures.sharpe === null ? ["few_days"] : []),
    ...(factors.wash < 1 ? ["wash_pattern"] : []),
    ...(factors.sybil < 1 ? ["sybil_pattern"] : []),
    ...(factors.farmer < 1 ? ["farmer_pattern"] : []),
    ...(factors.maker < 1 ? ["both_sides_maker"] : []),
  ];
}
