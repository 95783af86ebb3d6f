import { fromDefinition, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { walletScores } from "../../tables/wallet-scores.ts";
import { inNewestPool } from "./newest-pool-sql.ts";
import { SCORE_WEIGHTS } from "./score-weights.ts";

/** The parts of a score in the order in which weights are bound. */
export const PARTS = Object.keys(SCORE_WEIGHTS);

export type ScoreBoard = {
  /** An expression of type Date. */
  readonly asOf: Sql;
  /** In any letter case; absent for all categories together. */
  readonly category: Bound | undefined;
  /** Other weights of the parts (Array(Float64), summing to 1), instead of those the scores were made with. */
  readonly weights: Bound | undefined;
};

const weighed = fromDefinition(
  `greatest(0, 100 * arraySum((part, weight) -> part * weight, [${PARTS.map((part) => `${part}_pct`).join(", ")}], weights) * wash_factor * sybil_factor * farmer_factor * maker_factor)`,
);

/**
 * The whole ranked pool of a category on the newest day scored whole (as_of or the day before), one row a wallet: the columns
 * of wallet_scores with `h_score` by the weights asked for, and `place`, unique.
 */
export function rankedScoresSql({ asOf, category, weights }: ScoreBoard): Sql {
  const score = weights ? sql`${weights} AS weights, ${weighed} AS h_score` : sql`score AS h_score`;
  const pool = sql`(SELECT *, ${score} FROM ${walletScores} FINAL WHERE ${inNewestPool(asOf, category)})`;
  return sql`(SELECT *, row_number() OVER (ORDER BY h_score DESC, wallet) AS place FROM ${pool})`;
}
