import type { Slice } from "../../definition/derivation.ts";
import { bind, fromDefinition, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { EVENT_KEY, resolutionsSql } from "../market-facts-sql.ts";

const fillsByToken = copyOf(polymarketFills, "polymarket_fills_by_token");

/**
 * Latest time at which the result cannot be known yet: the event's start, else (or if the result came before it: a
 * walkover) a day before the deadline or the resolution, whichever came first. Some venues' catalogues give the listing
 * as the start of an event without one.
 */
const CLOSE_AT = fromDefinition(
  "if(coalesce(event_start > coalesce(toDateTime(start_date, 'UTC'), event_start - 120) + 60 AND event_start <= resolved_at, false), event_start, least(coalesce(end_date, resolved_at), resolved_at) - 86400)",
);
const TICK = fromDefinition("coalesce(tick_size, toDecimal64('0.01', 6))");

/** Fills of the tokens of a slice. A market is never split: its tokens price each other, and are stored far apart. */
const FILLS_A_SLICE = sql`1000000`;

const conditionOf = (hex: string): Sql => sql`toFixedString(unhex(${bind("String", hex)}), 32)`;

/**
 * The head of a statement: the outcomes resolved on the days (`outcome_list`), as a scalar, because a subquery is
 * computed in each place that names it.
 */
function withOutcomes(days: Bound, slice: Slice | undefined): Sql {
  const chosen = slice
    ? sql`condition_id >= ${conditionOf(slice.first)} AND condition_id <= ${conditionOf(slice.last)}`
    : sql`true`;
  const resolved = sql`(SELECT each.1 AS condition_id, each.2 AS resolved_at, each.3 AS payouts FROM (SELECT arrayJoin(resolved_list) AS each))`;
  return sql`WITH (SELECT groupArray((condition_id, ts, payouts)) FROM ${resolutionsSql({ days })} WHERE ${chosen}) AS resolved_list,
  (SELECT groupArray((${OUTCOME_FIELDS})) FROM (SELECT condition_id, category, event_key, tick, resolved_at, assumeNotNull(close_at) AS close_at, outcome, tokens[outcome] AS token_id, payouts[outcome] AS payout
  FROM (SELECT condition_id, category, ${EVENT_KEY} AS event_key, ${TICK} AS tick, resolved_at, payouts, ${CLOSE_AT} AS close_at, [side_a_token_id, side_b_token_id] AS tokens
    FROM (SELECT * FROM ${polymarketMarkets} FINAL WHERE condition_id IN (SELECT condition_id FROM ${resolved})) AS m INNER JOIN ${resolved} AS r USING (condition_id)
    WHERE length(payouts) = 2) ARRAY JOIN [1, 2] AS outcome)) AS outcome_list`;
}

const FIELDS = [
  "condition_id",
  "category",
  "event_key",
  "tick",
  "resolved_at",
  "close_at",
  "outcome",
  "token_id",
  "payout",
];
const OUTCOME_FIELDS = fromDefinition(FIELDS.join(", "));

/** One row per token of the markets resolved on the days. */
const OUTCOMES = sql`(SELECT ${fromDefinition(FIELDS.map((field, index) => `each.${index + 1} AS ${field}`).join(", "))} FROM (SELECT arrayJoin(outcome_list) AS each))`;

/** Ranges of conditions whose tokens have about a million fills each. */
export const slicesSql = (days: Bound): Sql => sql`${withOutcomes(days, undefined)}
SELECT lower(hex(min(condition_id))) AS first, lower(hex(max(condition_id))) AS last
FROM (SELECT condition_id, intDiv(sum(n) OVER (ORDER BY condition_id) - n, ${FILLS_A_SLICE}) AS slice
  FROM (SELECT o.condition_id AS condition_id, sum(f.n) AS n FROM ${OUTCOMES} AS o
    INNER JOIN (SELECT token_id, count() AS n FROM ${fillsByToken} WHERE token_id IN (SELECT token_id FROM ${OUTCOMES}) GROUP BY token_id) AS f USING (token_id)
    GROUP BY condition_id))
GROUP BY slice ORDER BY first`;

/**
 * The outcomes of a slice, the two of a market one after the other: the inputs of the arithmetic, then the columns of
 * `wallet_entries` that all rows of the token have in common, in the table's order.
 */
export const outcomesSql = (days: Bound, slice: Slice): Sql => sql`${withOutcomes(days, slice)}
SELECT toUInt32(resolved_at), toUInt32(close_at), tick, payout, toDate(resolved_at, 'UTC') AS day, token_id, condition_id, event_key, category, payout
FROM ${OUTCOMES} ORDER BY condition_id, day, outcome`;

/** Fills of the tokens of a slice, by token, wallet and time. */
export const legsSql = (days: Bound, slice: Slice): Sql => sql`${withOutcomes(days, slice)}
SELECT token_id, wallet, ts, toUInt8(side = 'BUY') AS is_buy, shares, usd, fee_usd
FROM ${fillsByToken} WHERE token_id IN (SELECT token_id FROM ${OUTCOMES}) AND shares > 0 ORDER BY token_id, wallet, ts`;
