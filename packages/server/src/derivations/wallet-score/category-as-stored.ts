import { sql, type Bound, type Sql } from "../../definition/sql.ts";

/**
 * A category as some rows (`table WHERE …`) write it: as it was asked for where they have it so, else in another letter
 * case; null where they have it in none. Without one '', all categories together.
 */
export function categoryAsStored(rows: Sql, category: Bound | undefined): Sql {
  if (category === undefined) return sql`''`;
  return sql`(SELECT CAST(category AS Nullable(String)) FROM ${rows} AND lowerUTF8(category) = lowerUTF8(${category}) ORDER BY category = ${category} DESC, category LIMIT 1)`;
}
