import { sql, type Sql } from "../../definition/sql.ts";

/** √(2/π): the mean of the absolute value of a standard normal. */
export const MEAN_ABSOLUTE: Sql = sql`sqrt(2 / pi())`;

/** Of a rate so small that 1 − exp(−rate) would lose its digits, the rate itself. */
export const chanceOf = (rate: Sql): Sql => sql`if(${rate} < 1e-6, ${rate}, 1 - exp(-(${rate})))`;

/**
 * Lee and Mykland (2008): chance that the largest of `n` returns without jumps is as large as `statistic` = |r|/σ̂,
 * with σ̂² the bipower variation without its factor π/2. Gumbel: 1 − exp(−exp(−(L − C_n)/S_n)).
 */
export function leeMyklandP(statistic: Sql, n: Sql): Sql {
  const root = sql`sqrt(2 * log(${n}))`;
  const middle = sql`(${root} / ${MEAN_ABSOLUTE} - (log(pi()) + log(log(${n}))) / (2 * ${MEAN_ABSOLUTE} * ${root}))`;
  return chanceOf(sql`exp(-(${statistic} - ${middle}) * ${MEAN_ABSOLUTE} * ${root})`);
}
