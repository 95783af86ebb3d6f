import type { Slice } from "../definition/derivation.ts";
import { bind, fromDefinition, sql, type Sql } from "../definition/sql.ts";

/**
 * Ranges of tokens with about the same number of rows each, according to `counted` (`token_id`, `n`); a token is never
 * split.
 */
export const tokenSlices = (
  counted: Sql,
  rows: number,
): Sql => sql`SELECT toString(min(token_id)) AS first, toString(max(token_id)) AS last
FROM (SELECT token_id, intDiv(sum(n) OVER (ORDER BY token_id) - n, ${fromDefinition(String(rows))}) AS slice FROM (${counted}))
GROUP BY slice ORDER BY min(token_id)`;

/** Whether a row's token is in the slice. */
export const isOfSlice = ({ first, last }: Slice): Sql =>
  sql`token_id >= toUInt256(${bind("String", first)}) AND token_id <= toUInt256(${bind("String", last)})`;
