import { sql, type Bound, type Sql } from "../definition/sql.ts";
import { copyOf } from "../definition/table.ts";
import { walletPatterns } from "../tables/wallet-patterns.ts";

const scoreOf = (pattern: Sql, column: Sql): Sql => sql`sumIf(${column}, pattern = ${pattern})`;

/**
 * What patterns wallets show as of a day (SQL of type Date), one row a wallet of which anything is said: the newest row
 * of the 30 days up to it. 0 where nothing is. `wallets` (SQL, a list or subquery after IN) narrows it by the index.
 */
export function patternsAsOf(asOf: Sql | Bound, wallets?: Sql): Sql {
  const from = wallets ? copyOf(walletPatterns, "wallet_patterns_by_wallet") : walletPatterns;
  const only = wallets ? sql`wallet IN ${wallets} AND` : sql``;
  const newest = sql`SELECT wallet, pattern, argMax(score, day) AS last_score, argMax(share, day) AS last_share, argMax(cluster_size, day) AS last_size
FROM ${from} FINAL WHERE ${only} day <= ${asOf} AND day > subtractDays(${asOf}, 30) AND NOT is_gone GROUP BY wallet, pattern`;
  return sql`(SELECT wallet, ${scoreOf(sql`'wash'`, sql`last_score`)} AS wash_score, ${scoreOf(sql`'wash'`, sql`last_share`)} AS wash_share,
  ${scoreOf(sql`'sybil'`, sql`last_score`)} AS sybil_score, toUInt32(${scoreOf(sql`'sybil'`, sql`last_size`)}) AS sybil_size,
  ${scoreOf(sql`'farmer'`, sql`last_score`)} AS farmer_score, ${scoreOf(sql`'both_sides'`, sql`last_score`)} AS both_sides_score
FROM (${newest}) GROUP BY wallet)`;
}
