import { sql, type Bound, type Sql } from "../../definition/sql.ts";
import { walletScores } from "../../tables/wallet-scores.ts";

/**
 * Conditions on wallet_scores that leave the pool of a category ('' is all) on the newest of a day and the day before
 * that is written whole: its rows come slice by slice, and each tells how many there will be. While a day is written
 * again, older rows are among them: as many as they say are there, so it stays the newest.
 */
export function inNewestPool(asOf: Sql, category: Bound): Sql {
  const near = sql`day >= ${asOf} - 1 AND day <= ${asOf} AND category = ${category} AND NOT is_gone`;
  const whole = sql`SELECT day FROM ${walletScores} FINAL WHERE ${near} GROUP BY day HAVING count() >= min(pool)`;
  return sql`${near} AND day = (SELECT max(day) FROM (${whole}))`;
}
