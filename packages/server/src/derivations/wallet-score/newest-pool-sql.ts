import { sql, type Bound, type Sql } from "../../definition/sql.ts";
import { walletScores } from "../../tables/wallet-scores.ts";

/**
 * A category as spelled in some rows (`table WHERE …`): as requested if they contain it so, else in another letter
 * case; null if they do not contain it. Without one '', all categories together.
 */
export function categoryAsStored(rows: Sql, category: Bound | undefined): Sql {
  if (category === undefined) return sql`''`;
  return sql`(SELECT CAST(category AS Nullable(String)) FROM ${rows} AND lowerUTF8(category) = lowerUTF8(${category}) ORDER BY category = ${category} DESC, category LIMIT 1)`;
}

/** Condition for a category in any letter case (absent: all together), on a day and the day before. */
function nearby(asOf: Sql, category: Bound | undefined): Sql {
  const days = sql`day >= ${asOf} - 1 AND day <= ${asOf} AND NOT is_gone`;
  return sql`${days} AND category = ${categoryAsStored(sql`${walletScores} FINAL WHERE ${days}`, category)}`;
}

const wholePools = (near: Sql): Sql =>
  sql`SELECT day FROM ${walletScores} FINAL WHERE ${near} GROUP BY day HAVING count() >= min(pool)`;

/** The day of the newest pool of a category (see `inNewestPool`); no row if there is none. */
export const newestPoolDay = (asOf: Sql, category: Bound | undefined): Sql =>
  sql`SELECT max(day) AS newest FROM (${wholePools(nearby(asOf, category))}) HAVING count() > 0`;

/**
 * Conditions on wallet_scores that select the newest complete pool of a category (absent: all) on a day or the day
 * before: its rows are written slice by slice, and each contains their final number. While a day is rewritten, older
 * rows are among them: their number is still complete, so it stays the newest.
 */
export function inNewestPool(asOf: Sql, category: Bound | undefined): Sql {
  const near = nearby(asOf, category);
  return sql`${near} AND day = (SELECT max(day) FROM (${wholePools(near)}))`;
}

/** Whether any wallet is ranked in a category on a day or the day before. */
export const hasPool = (asOf: Sql, category: Bound | undefined): Sql =>
  sql`(SELECT count() FROM ${walletScores} FINAL WHERE ${nearby(asOf, category)}) > 0`;

/**
 * Condition for a category in any letter case, on a day and the day before: includes retracted rows, in whatever case
 * each is spelled.
 */
export const everNearby = (asOf: Sql, category: Bound | undefined): Sql =>
  sql`day >= ${asOf} - 1 AND day <= ${asOf} AND ${category ? sql`lowerUTF8(category) = lowerUTF8(${category})` : sql`category = ''`}`;
