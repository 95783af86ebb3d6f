import { sql, type Sql } from "../../definition/sql.ts";

/**
 * What happened in each bucket: `token_id`, `s` (seconds), `b` (number of the bucket), `is_changed`, `traded_close` (null
 * without a trade), `volume`, `trade_count`, `fair` (middle of the last quotes, else close). `events` have `s`, `b` and
 * `is_own` beside their own columns.
 */
export const barsSql = (
  events: Sql,
): Sql => sql`SELECT token_id, s, b, any(is_own) AS is_changed, argMaxIf(toNullable(price), minute, is_trade) AS traded_close,
  sum(volume) AS volume, toUInt32(sum(trade_count)) AS trade_count, assumeNotNull(ifNull(argMaxIf(toNullable(price), minute, NOT is_trade), traded_close)) AS fair
FROM (${events}) GROUP BY token_id, s, b`;
