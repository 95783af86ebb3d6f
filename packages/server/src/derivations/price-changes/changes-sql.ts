import { fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { MOVES } from "./moves-sql.ts";
import { PRICE_RESOLUTIONS } from "./price-resolutions.ts";

const whenTested = (value: Sql): Sql => sql`if(is_tested, toNullable(${value}), NULL)`;
const NAMES = fromDefinition(
  `[${Object.keys(PRICE_RESOLUTIONS)
    .map((name) => `'${name}'`)
    .join(", ")}]`,
);
const LENGTHS = fromDefinition(`[${Object.values(PRICE_RESOLUTIONS).join(", ")}]`);

/** Half of a change was given back: what is halfway between the two prices was reached again. */
const halfway = (isUp: Sql, before: Sql, after: Sql, low: Sql, high: Sql): Sql =>
  sql`ifNull(if(${isUp}, ${low} * 2 <= ${before} + ${after}, ${high} * 2 >= ${before} + ${after}), false)`;

/** The rows of `price_changes` that may have changed, without version and content. */
export const CHANGES: Sql = sql`SELECT transform(s, ${LENGTHS}, ${NAMES}, '1m') AS resolution, toDateTime(b * s, 'UTC') AS bucket, token_id,
  if(is_traded, toNullable(close), NULL) AS close, if(is_traded, previous_close, NULL) AS previous_close,
  CAST(round((toDecimal128(close, 12) / nullIf(previous_close, 0) - 1) * 100, 6), 'Nullable(Decimal64(6))') AS change_pct,
  volume, trade_count, if(is_traded AND all_traded > 0, shares / (all_shares / all_traded), NULL) AS volume_ratio,
  next_traded > 0 AND close != previous_close AND ${halfway(sql`close > previous_close`, sql`previous_close`, sql`close`, sql`next_low`, sql`next_high`)} AS is_reverted,
  ${whenTested(sql`toDateTime(if(bars_back > 1, between[bars_back - 1].2, b) * s, 'UTC')`)} AS jump_at,
  ${whenTested(sql`origin.3`)} AS jump_before, ${whenTested(sql`fair`)} AS jump_after,
  if(is_tested, moved, 0) AS jump_volume, if(is_tested, toUInt32(moved_trades), 0) AS jump_trades, if(is_tested, moved_ratio, NULL) AS jump_volume_ratio,
  ${whenTested(sql`signed`)} AS statistic, ${whenTested(sql`chance`)} AS p_value, if(is_tested, toUInt32(n), 0) AS window_buckets, is_peak,
  is_tested AND next_bars > 0 AND signed != 0 AND ${halfway(sql`signed > 0`, sql`origin.3`, sql`fair`, sql`next_fair_low`, sql`next_fair_high`)} AS is_jump_reverted
FROM (${MOVES}) WHERE is_changed`;
