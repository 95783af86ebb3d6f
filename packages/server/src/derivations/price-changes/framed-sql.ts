import { fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { EXTENTS } from "./extents.ts";

/** Half of Polymarket's finest tick: prices are kept so far from 0 and 1 before their logit is taken. */
export const HALF_TICK: Sql = sql`0.0005`;

const { window, lately, drift, reverted } = EXTENTS;
const number = (value: number): Sql => fromDefinition(String(value));
const OVER_BARS: Sql = sql`PARTITION BY token_id, s ORDER BY b`;
const LAST_TWO: Sql = sql`(${OVER_BARS} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)`;
const BEFORE = sql`(${OVER_BARS} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;
const REACH = sql`(${OVER_BARS} RANGE BETWEEN ${number(drift)} PRECEDING AND 1 PRECEDING)`;
const NEXT = sql`(${OVER_BARS} RANGE BETWEEN 1 FOLLOWING AND ${number(reverted)} FOLLOWING)`;
/** All buckets up to so many before. */
const upTo = (back: number): Sql => sql`(${OVER_BARS} RANGE BETWEEN UNBOUNDED PRECEDING AND ${number(back)} PRECEDING)`;

/**
 * A sum over the buckets from `size + drift` before to `back` before, as the difference of two sums from the beginning
 * on: the engine adds to these row by row, and would add up a moving window anew for every row. Of whole numbers and
 * decimals only: exact, also where a sum from the beginning runs over.
 */
const overWindow = (sum: Sql, back: number, size: number = window): Sql =>
  sql`(${sum} OVER ${upTo(back)} - ${sum} OVER ${upTo(size + drift + 1)})`;

/** Returns of the logit, and their products in whole 1e-12: sums of floats hang on where the engine began to add; one over a longer pause than a move may take counts as none. */
const logits = (bars: Sql): Sql =>
  sql`SELECT *, least(greatest(toFloat64(fair), ${HALF_TICK}), 1 - ${HALF_TICK}) AS part, log(part / (1 - part)) AS x FROM (${bars})`;
const returned = (bars: Sql): Sql =>
  sql`SELECT *, if(b - lagInFrame(b, 1, b) OVER ${LAST_TWO} <= ${number(drift)}, x - lagInFrame(x, 1, x) OVER ${LAST_TWO}, 0) AS r FROM (${logits(bars)})`;
const products = (bars: Sql): Sql =>
  sql`SELECT *, toInt64(round(abs(r * lagInFrame(r, 1, 0) OVER ${LAST_TWO}) * 1e12)) AS product FROM (${returned(bars)})`;

/**
 * Bars with what is before and after each: `x` (logit of the fair price), `previous_close`, the window's `n`, `variation`
 * (both also of its last part, `lately_…`) and `usual_shares`, `all_shares` and `all_traded` up to the bucket before, the
 * bars within reach of a move (`earlier_…`, nearest last), and the lowest and highest prices of the next buckets (null
 * without any).
 */
export const framedSql = (
  bars: Sql,
): Sql => sql`SELECT token_id, s, b, is_changed, traded_close, volume, trade_count, fair, x,
  anyLast(traded_close) OVER ${BEFORE} AS previous_close,
  ${overWindow(sql`count()`, drift + 1)} AS n, ${overWindow(sql`sum(product)`, drift + 1)} / 1e12 AS variation,
  ${overWindow(sql`count()`, drift + 1, lately)} AS lately_n, ${overWindow(sql`sum(product)`, drift + 1, lately)} / 1e12 AS lately_variation,
  toFloat64(${overWindow(sql`sum(volume)`, drift + 1)}) AS usual_shares, toFloat64(${overWindow(sql`sum(volume)`, 1)}) AS all_shares,
  ${overWindow(sql`count(traded_close)`, 1)} AS all_traded,
  groupArray(x) OVER ${REACH} AS earlier_x, groupArray(b) OVER ${REACH} AS earlier_b, groupArray(fair) OVER ${REACH} AS earlier_fair,
  groupArray(volume) OVER ${REACH} AS earlier_volume, groupArray(trade_count) OVER ${REACH} AS earlier_trades,
  min(traded_close) OVER ${NEXT} AS next_low, max(traded_close) OVER ${NEXT} AS next_high,
  min(toNullable(fair)) OVER ${NEXT} AS next_fair_low, max(toNullable(fair)) OVER ${NEXT} AS next_fair_high
FROM (${products(bars)})`;
