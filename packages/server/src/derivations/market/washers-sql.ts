import { sql, type Bound, type Sql } from "../../definition/sql.ts";
import { walletPatterns } from "../../tables/wallet-patterns.ts";

/** Wallets whose newest score of the wash pattern, of the 30 days up to a day, is at least so much: a list after IN. */
export const washersSql = (asOf: Bound, least: Bound): Sql =>
  sql`(SELECT wallet FROM ${walletPatterns} FINAL WHERE pattern = 'wash' AND day <= ${asOf} AND day > subtractDays(${asOf}, 30) AND NOT is_gone GROUP BY wallet HAVING argMax(score, day) >= ${least})`;
