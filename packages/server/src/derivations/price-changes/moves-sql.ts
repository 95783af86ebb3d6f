import { fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { CUSUM_ALLOWANCE, cusumP } from "./cusum-sql.ts";
import { EXTENTS } from "./extents.ts";
import { framedSql } from "./framed-sql.ts";
import { leeMyklandP, MEAN_ABSOLUTE } from "./lee-mykland-sql.ts";

/** A move is at most as many scales as it has steps of half a cent: no more is known of a price. */
export const LEAST_STEP: Sql = sql`0.005`;
/** Fewer returns are not tested. */
export const LEAST_RETURNS: Sql = sql`2`;
/** A scale is shrunk to the usual as if so many earlier returns had been usual ones. */
export const USUAL_RETURNS: Sql = sql`12`;
/** Variance of the logit a day of a market of which nothing is known. */
export const USUAL_VARIANCE: Sql = sql`1.4`;
/** A move on less volume than this share of the usual is not confirmed. */
export const LEAST_VOLUME: Sql = sql`0.1`;
/** What is as likely as not is no move. */
const MOST_CHANCE: Sql = sql`0.5`;

const drift = fromDefinition(String(EXTENTS.drift));
const NEAR = sql`(PARTITION BY token_id, s ORDER BY b RANGE BETWEEN ${drift} PRECEDING AND ${drift} FOLLOWING)`;

/** Squared scale of a window's returns, shrunk to the usual: a young or quiet market tells little of its own. */
const scaleOf = (n: Sql, variation: Sql): Sql =>
  sql`(${variation} * pi() / 2 + ${USUAL_RETURNS} * ${USUAL_VARIANCE} * s / 86400) / (toInt64(${n}) - 2 + ${USUAL_RETURNS})`;

/** Page's sum of the last so many standardised returns, each less its allowance; the largest is the cumulative sum. */
const summed = (bars: Sql): Sql => sql`SELECT *, if(n >= ${LEAST_RETURNS}, notEmpty(earlier_x), 0) AS is_tested,
  sqrt(greatest(${scaleOf(sql`n`, sql`variation`)}, ${scaleOf(sql`lately_n`, sql`lately_variation`)})) AS scale,
  arrayMap((one, was) -> least(abs(x - one) / scale, abs(toFloat64(fair) - toFloat64(was)) / ${LEAST_STEP}), arrayReverse(earlier_x), arrayReverse(earlier_fair)) AS scaled,
  arrayMap((one, bars) -> one - ${CUSUM_ALLOWANCE} * bars, scaled, arrayEnumerate(scaled)) AS sums,
  scaled[1] / ${MEAN_ABSOLUTE} AS single
FROM (${framedSql(bars)})`;
const heights = (bars: Sql): Sql =>
  sql`SELECT *, arrayMax(sums) AS height, ${leeMyklandP(sql`single`, sql`n`)} AS single_p FROM (${summed(bars)})`;
const chances = (bars: Sql): Sql =>
  sql`SELECT *, if(height > 0, ${cusumP(sql`height`, sql`n`)}, 1) AS sum_p FROM (${heights(bars)})`;
const chosen = (bars: Sql): Sql =>
  sql`SELECT *, if(sum_p < single_p, indexOf(sums, height), 1) AS bars_back, least(1, 2 * least(single_p, sum_p)) AS chance FROM (${chances(bars)})`;
const measured = (
  bars: Sql,
): Sql => sql`SELECT *, if(is_tested, chance < ${MOST_CHANCE}, 0) AS is_move, if(sum_p < single_p, height, single) * sign(x - earlier_x[-bars_back]) AS signed,
  volume + arraySum(arraySlice(arrayReverse(earlier_volume), 1, bars_back - 1)) AS moved, trade_count + arraySum(arraySlice(arrayReverse(earlier_trades), 1, bars_back - 1)) AS moved_trades,
  if(usual_shares > 0, (toFloat64(moved) / bars_back) / (usual_shares / n), NULL) AS moved_ratio
FROM (${chosen(bars)})`;
// No AND and OR up here: the engine compares their parts by the whole query below, which takes long to plan.
const confirmed = (bars: Sql): Sql =>
  sql`SELECT *, if(is_move, if(moved > 0, ifNull(moved_ratio >= ${LEAST_VOLUME}, true), 0), 0) AS is_confirmed FROM (${measured(bars)})`;

/** Least likely first, then largest, then earliest, as one number: positive floats are in the order of their bits. */
const ranked = (bars: Sql): Sql =>
  sql`SELECT *, bitShiftLeft(toUInt256(reinterpretAsUInt64(chance)), 128) + bitShiftLeft(toUInt256(bitNot(reinterpretAsUInt64(abs(signed)))), 64) + toUInt256(b) AS rank FROM (${confirmed(bars)})`;

/** Bars with the largest move that ends in each of them. */
export const movesSql = (bars: Sql): Sql =>
  sql`SELECT *, if(is_confirmed, minIf(rank, is_confirmed) OVER ${NEAR} = rank, 0) AS is_peak FROM (${ranked(bars)})`;
