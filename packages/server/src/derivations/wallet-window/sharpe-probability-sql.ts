import { LEAST_DAYS } from "../wallet-score/probabilistic-sharpe.ts";
import type { Layer } from "./with-columns.ts";

/** Of one day: its mean over its standard deviation. */
const SHARPE = "return_average / sqrt(return_variance * return_days / (return_days - 1))";
const SKEWNESS = "return_cubes / pow(return_variance, 1.5)";
const KURTOSIS = "return_fourths / pow(return_variance, 2)";

/**
 * SQL over `returns` and their number `return_days`: probabilisticSharpe of them, which the score has in TypeScript
 * since it draws its days anew. It needs the returns themselves: sums of parts do not tell it without cancellation.
 */
export const SHARPE_PROBABILITY: readonly Layer[] = [
  { return_average: "arraySum(returns) / return_days" },
  {
    return_variance: "arraySum(one -> pow(one - return_average, 2), returns) / return_days",
    return_cubes: "arraySum(one -> pow(one - return_average, 3), returns) / return_days",
    return_fourths: "arraySum(one -> pow(one - return_average, 4), returns) / return_days",
  },
  {
    sharpe_probability: `multiIf(return_days < ${LEAST_DAYS}, NULL, return_variance < 1e-24, NULL, erfc(-${SHARPE} * sqrt(return_days - 1) / sqrt(2 * greatest(1e-6, 1 - ${SKEWNESS} * ${SHARPE} + (${KURTOSIS} - 1) / 4 * pow(${SHARPE}, 2)))) / 2)`,
  },
];
