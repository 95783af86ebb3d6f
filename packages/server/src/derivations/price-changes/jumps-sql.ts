import { bind, given, joined, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { priceChanges } from "../../tables/price-changes.ts";
import { bucketsWithin } from "./touched-sql.ts";
import { EXTENTS, PRICE_RESOLUTIONS } from "./buckets.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { polymarketResolutions } from "../../tables/polymarket-resolutions.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { CATALOGUE_IS_FINAL } from "../market-facts-sql.ts";

/** Jumps requested. `from` and `to` are engine timestamps, both inclusive; `only` narrows the tokens. */
export type JumpsRequested = {
  readonly resolution: keyof typeof PRICE_RESOLUTIONS;
  readonly from: Sql;
  readonly to: Sql;
  /** The current time, for outcomes not known yet. */
  readonly now: Sql;
  readonly only: readonly Sql[];
  readonly minPct: Bound;
  readonly maxP: Bound | undefined;
};

const AND = sql` AND `;
const RESOLUTIONS_BY_CONDITION = copyOf(polymarketResolutions, "polymarket_resolutions_by_condition");
/** Number of buckets after the start of an event from which its own returns give the scale. */
export const REGIME_BUCKETS = 20;

/** Percent from one price to another. */
const percent = (from: Sql, to: Sql): Sql =>
  sql`CAST(round((toDecimal128(${to}, 12) / nullIf(${from}, 0) - 1) * 100, 2), 'Nullable(Decimal64(6))')`;

/** Null while half may still be given back. */
const reverted = ({ resolution, now }: JumpsRequested, isReverted: Sql): Sql =>
  sql`if(${isReverted}, true, if(bucket + toIntervalSecond(${bind("UInt32", (EXTENTS.reverted + 1) * PRICE_RESOLUTIONS[resolution])}) > ${now}, NULL, false))`;

function within({ resolution, from, to, only }: JumpsRequested): Sql {
  return joined([sql`resolution = ${bind("String", resolution)}`, bucketsWithin(from, to), ...only], AND);
}

const stored = (requested: JumpsRequested): Sql =>
  sql`${priceChanges} FINAL WHERE ${within(requested)} AND NOT is_gone`;

const isWanted = (change: Sql, { minPct, maxP }: JumpsRequested): Sql =>
  joined([sql`abs(${change}) >= ${minPct}`, given(maxP, (most) => sql`p_value <= ${most}`)], AND);

/** Changes from close to close of at least a given percentage as it is shown, except at a market's end. */
export function candleJumpsSql(requested: JumpsRequested): Sql {
  const rows = sql`SELECT token_id, bucket AS jump_time, previous_close AS price_before, close AS price_after,
    ${percent(sql`previous_close`, sql`close`)} AS pct, volume, trade_count, volume_ratio, statistic, p_value, CAST(NULL, 'Nullable(Float64)') AS q_value,
    ${reverted(requested, sql`is_reverted`)} AS reverted
  FROM ${stored(requested)} AND change_pct IS NOT NULL AND ${isWanted(sql`pct`, requested)}`;
  return sql`SELECT * FROM (${rows}) AS j LEFT JOIN (${marketEndsSql(requested, sql`isNotNull(change_pct)`)}) AS m ON m.token_id = j.token_id
WHERE ${isBeforeEnd(sql`jump_time`, requested)}`;
}

/**
 * Moves that are unlikely without a jump. `q_value` is that of Benjamini and Hochberg over all markets scanned: each
 * window of each token is one test, and the p-value is that of the largest move of a window.
 */
export function robustJumpsSql(requested: JumpsRequested): Sql {
  const { resolution, from, to } = requested;
  const reach = bind("UInt32", EXTENTS.drift * PRICE_RESOLUTIONS[resolution]);
  const wider = { ...requested, to: sql`${to} + toIntervalSecond(${reach})` };
  const tests = sql`(SELECT greatest(1, sumIf(1 / window_buckets, window_buckets > 0)) FROM ${stored(requested)})`;
  const peaks = sql`SELECT token_id, assumeNotNull(jump_at) AS jump_time, bucket, jump_before AS price_before, jump_after AS price_after,
    ${percent(sql`jump_before`, sql`jump_after`)} AS pct, jump_volume AS volume, jump_trades AS trade_count, jump_volume_ratio AS volume_ratio,
    statistic, p_value, ${reverted(requested, sql`is_jump_reverted`)} AS reverted
  FROM ${stored(wider)} AND is_peak AND jump_at >= ${from} AND jump_at <= ${to}`;
  const kept = sql`SELECT * FROM (${peaks}) AS j LEFT JOIN (${marketEndsSql(wider, sql`is_peak`)}) AS m ON m.token_id = j.token_id
  WHERE ${isBeforeEnd(sql`bucket`, requested)} AND ${isOneRegime(PRICE_RESOLUTIONS[resolution])}`;
  const ranked = sql`SELECT *, row_number() OVER (ORDER BY p_value, token_id, bucket) AS place FROM (${kept})`;
  const judged = sql`SELECT *, least(1, min(p_value * ${tests} / place) OVER (ORDER BY place ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)) AS q_value FROM (${ranked})`;
  return sql`SELECT * FROM (${judged}) WHERE ${isWanted(sql`pct`, requested)}`;
}

/**
 * Resolution itself is not a jump: excludes moves that end after the market is over, and moves in the last day to
 * within two cents of the payout. `last` is the start of a move's last bucket.
 */
function isBeforeEnd(last: Sql, { resolution }: JumpsRequested): Sql {
  const end = sql`${last} + toIntervalSecond(${bind("UInt32", PRICE_RESOLUTIONS[resolution])})`;
  return sql`ifNull(m.over_at >= ${end}, true) AND NOT ifNull(${end} > m.over_at - toIntervalDay(1) AND abs(price_after - m.payout) <= 0.02, false)`;
}

/** The scale of the returns before the start of the event (a game) does not apply to those after it. */
const isOneRegime = (seconds: number): Sql =>
  sql`NOT ifNull(bucket >= m.event_start - toIntervalSecond(${bind("UInt32", seconds)}) AND bucket < m.event_start + toIntervalSecond(${bind("UInt32", (REGIME_BUCKETS + EXTENTS.drift) * seconds)}), false)`;

/**
 * Market timestamps by token: `token_id`, `over_at` (trading or the question is over), `payout` of a share (the
 * chain's, else the catalogue's once final), `event_start`. Only of tokens with such a change within the range: a market
 * may have ended long before.
 */
function marketEndsSql(requested: JumpsRequested, isChange: Sql): Sql {
  const changed = sql`(SELECT arrayJoin(changed_tokens))`;
  const ofTokens = sql`token_id IN ${changed}`;
  const ofConditions = sql`condition_id IN (SELECT condition_id FROM ${polymarketTokens} WHERE ${ofTokens})`;
  const ofMarkets =
    requested.only.length === 0 ? sql`(side_a_token_id IN ${changed} OR side_b_token_id IN ${changed})` : ofConditions;
  const never = sql`toDateTime('2106-01-01 00:00:00', 'UTC')`;
  const markets = sql`SELECT if(${CATALOGUE_IS_FINAL}, payout_a, NULL) AS first_pays, arrayJoin([(side_a_token_id, first_pays), (side_b_token_id, 1 - first_pays)]) AS side, side.1 AS token_id,
    coalesce(closed_date, ${never}) AS over_at, side.2 AS listed, CAST(NULL, 'Nullable(Decimal64(6))') AS paid, event_start
  FROM ${polymarketMarkets} FINAL WHERE ${ofMarkets} AND (isNotNull(closed_date) OR isNotNull(event_start))`;
  const resolved = sql`SELECT t.token_id AS token_id, r.ts AS over_at, CAST(NULL, 'Nullable(Decimal64(6))') AS listed, toNullable(r.payouts[t.outcome_index + 1]) AS paid, CAST(NULL, 'Nullable(DateTime(\\'UTC\\'))') AS event_start
  FROM (SELECT token_id, condition_id, outcome_index FROM ${polymarketTokens} FINAL WHERE ${ofTokens} AND outcome_index < 2) AS t
  INNER JOIN (SELECT condition_id, ts, payouts FROM ${RESOLUTIONS_BY_CONDITION} WHERE ${ofConditions}) AS r ON r.condition_id = t.condition_id`;
  return sql`WITH (SELECT groupUniqArray(token_id) FROM ${priceChanges} WHERE ${within(requested)} AND ${isChange}) AS changed_tokens SELECT token_id, min(over_at) AS over_at, coalesce(any(paid), any(listed)) AS payout, min(event_start) AS event_start
FROM (SELECT token_id, over_at, listed, paid, event_start FROM (${markets}) UNION ALL ${resolved}) GROUP BY token_id`;
}
