import { sql, type Sql } from "../../definition/sql.ts";
import { movesSql } from "./moves-sql.ts";
import type { ResolutionPart } from "./resolution-part.ts";

const whenTested = (value: Sql): Sql => sql`if(is_tested, toNullable(${value}), NULL)`;
const whenMoved = (value: Sql): Sql => sql`if(is_move, toNullable(${value}), NULL)`;

/** Half of a change was given back: what is halfway between the two prices was reached again. */
const halfway = (isUp: Sql, before: Sql, after: Sql, low: Sql, high: Sql): Sql =>
  sql`ifNull(if(${isUp}, ${low} * 2 <= ${before} + ${after}, ${high} * 2 >= ${before} + ${after}), false)`;

/** The rows of `price_changes` that bars may have changed, without version and content. */
export const changesSql = (
  { names, lengths }: ResolutionPart,
  bars: Sql,
): Sql => sql`SELECT transform(s, [${lengths}], [${names}], '1m') AS resolution, toDateTime(b * s, 'UTC') AS bucket, token_id,
  traded_close AS close, if(isNull(traded_close), NULL, m.previous_close) AS previous_close,
  CAST(round((toDecimal128(traded_close, 12) / nullIf(m.previous_close, 0) - 1) * 100, 6), 'Nullable(Decimal64(6))') AS change_pct,
  volume, trade_count, if(if(isNull(traded_close), 0, all_traded > 0), toFloat64(volume) / (all_shares / all_traded), NULL) AS volume_ratio,
  if(traded_close != m.previous_close, ${halfway(sql`traded_close > m.previous_close`, sql`m.previous_close`, sql`traded_close`, sql`next_low`, sql`next_high`)}, 0) AS is_reverted,
  ${whenMoved(sql`toDateTime(if(bars_back > 1, earlier_b[1 - bars_back], b) * s, 'UTC')`)} AS jump_at,
  ${whenMoved(sql`earlier_fair[-bars_back]`)} AS jump_before, ${whenMoved(sql`fair`)} AS jump_after,
  if(is_move, moved, 0) AS jump_volume, if(is_move, toUInt32(moved_trades), 0) AS jump_trades, if(is_move, moved_ratio, NULL) AS jump_volume_ratio,
  ${whenTested(sql`signed`)} AS statistic, ${whenTested(sql`chance`)} AS p_value, if(is_tested, toUInt32(n), 0) AS window_buckets, is_peak,
  if(is_move, if(signed != 0, ${halfway(sql`signed > 0`, sql`earlier_fair[-bars_back]`, sql`fair`, sql`next_fair_low`, sql`next_fair_high`)}, 0), 0) AS is_jump_reverted
FROM (${movesSql(bars)}) AS m WHERE is_changed`;
