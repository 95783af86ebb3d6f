import { fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { BARS } from "./bars-sql.ts";
import { CUSUM_ALLOWANCE, cusumP } from "./cusum-sql.ts";
import { EXTENTS } from "./extents.ts";
import { leeMyklandP, MEAN_ABSOLUTE } from "./lee-mykland-sql.ts";

/** Half of Polymarket's finest tick: prices are kept so far from 0 and 1 before their logit is taken. */
const HALF_TICK: Sql = sql`0.0005`;
/** A scale is at least that of half a cent at the bucket's price: no more is known of it. */
const LEAST_STEP: Sql = sql`0.005`;
/** Fewer returns tell no scale. */
const LEAST_RETURNS: Sql = sql`12`;
/** A move on less volume than this share of the usual is not confirmed. */
const LEAST_VOLUME: Sql = sql`0.25`;

const number = (value: number): Sql => fromDefinition(String(value));
const OVER_BARS: Sql = sql`PARTITION BY token_id, s ORDER BY b`;
const LAST_TWO: Sql = sql`(${OVER_BARS} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)`;
const frame = (from: number, to: number): Sql =>
  sql`(${OVER_BARS} RANGE BETWEEN ${number(from)} PRECEDING AND ${number(to)} PRECEDING)`;

const { window, drift, reverted } = EXTENTS;
const BEFORE = frame(window + drift, drift + 1);
const ALL = frame(window + drift, 1);
const REACH = frame(drift, 1);
const NEXT = sql`(${OVER_BARS} RANGE BETWEEN 1 FOLLOWING AND ${number(reverted)} FOLLOWING)`;
const NEAR = sql`(${OVER_BARS} RANGE BETWEEN ${number(drift)} PRECEDING AND ${number(drift)} FOLLOWING)`;

/** Returns of the logit, and their products in whole 1e-12: sums of floats hang on where the engine began to add; one over a longer pause than a move may take counts as none. */
const logits = sql`SELECT *, least(greatest(toFloat64(fair), ${HALF_TICK}), 1 - ${HALF_TICK}) AS part FROM (${BARS})`;
const spaced = sql`SELECT *, log(part / (1 - part)) AS x, b - lagInFrame(b, 1, b) OVER ${LAST_TWO} AS pause, lagInFrame(x, 1, x) OVER ${LAST_TWO} AS x_before FROM (${logits})`;
const returned = sql`SELECT *, if(pause <= ${number(drift)}, x - x_before, 0) AS r FROM (${spaced})`;
const products = sql`SELECT *, toInt64(round(abs(r * lagInFrame(r, 1, 0) OVER ${LAST_TWO}) * 1e12)) AS product FROM (${returned})`;

const framed = sql`SELECT *, toFloat64(volume) AS shares,
  count() OVER ${BEFORE} AS n, sum(product) OVER ${BEFORE} / 1e12 AS variation, toFloat64(sum(volume) OVER ${BEFORE}) AS usual_shares,
  toFloat64(sum(volume) OVER ${ALL}) AS all_shares, sum(toUInt32(is_traded)) OVER ${ALL} AS all_traded,
  groupArray((x, b, fair, volume, trade_count)) OVER ${REACH} AS earlier,
  minIf(close, is_traded) OVER ${NEXT} AS next_low, maxIf(close, is_traded) OVER ${NEXT} AS next_high, countIf(is_traded) OVER ${NEXT} AS next_traded,
  min(fair) OVER ${NEXT} AS next_fair_low, max(fair) OVER ${NEXT} AS next_fair_high, count() OVER ${NEXT} AS next_bars
FROM (${products})`;

/** `back`: the bars within reach, nearest first. */
const scaled = sql`SELECT *, arrayReverse(earlier) AS back,
  greatest(sqrt(variation * pi() / 2 / greatest(n - 2, 1)), ${LEAST_STEP} / (part * (1 - part))) AS scale
FROM (${framed})`;

/** Page's sum of the last so many standardised returns, each less its allowance; the largest is the cumulative sum. */
const summed = sql`SELECT *, n >= ${LEAST_RETURNS} AND notEmpty(back) AS is_tested,
  arrayMap((one, bars) -> abs(x - one.1) / scale - ${CUSUM_ALLOWANCE} * bars, back, arrayEnumerate(back)) AS sums,
  abs(x - back[1].1) / scale / ${MEAN_ABSOLUTE} AS single
FROM (${scaled})`;
const heights = sql`SELECT *, arrayMax(sums) AS height, ${leeMyklandP(sql`single`, sql`n`)} AS single_p FROM (${summed})`;
const chances = sql`SELECT *, if(height > 0, ${cusumP(sql`height`, sql`n`)}, 1) AS sum_p FROM (${heights})`;
const chosen = sql`SELECT *, if(sum_p < single_p, indexOf(sums, height), 1) AS bars_back, least(1, 2 * least(single_p, sum_p)) AS chance FROM (${chances})`;
const told = sql`SELECT *, back[bars_back] AS origin, arraySlice(back, 1, bars_back - 1) AS between FROM (${chosen})`;
const measured = sql`SELECT *, if(sum_p < single_p, height, single) * sign(x - origin.1) AS signed,
  volume + arraySum(one -> one.4, between) AS moved, trade_count + arraySum(one -> one.5, between) AS moved_trades
FROM (${told})`;
const weighed = sql`SELECT *, if(usual_shares > 0, (toFloat64(moved) / bars_back) / (usual_shares / n), NULL) AS moved_ratio FROM (${measured})`;
const confirmed = sql`SELECT *, is_tested AND moved > 0 AND ifNull(moved_ratio >= ${LEAST_VOLUME}, true) AND chance < 0.5 AS is_confirmed FROM (${weighed})`;

/** Bars with the largest move that ends in each of them. */
export const MOVES: Sql = sql`SELECT *, is_confirmed AND argMinIf(b, (chance, -abs(signed), b), is_confirmed) OVER ${NEAR} = b AS is_peak FROM (${confirmed})`;
