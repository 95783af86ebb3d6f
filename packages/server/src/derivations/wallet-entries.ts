import { defineDayDerivation } from "../definition/day-derivation.ts";
import { fromDefinition, sql, type Bound, type Sql } from "../definition/sql.ts";
import { polymarketFills } from "../tables/polymarket-fills.ts";
import { polymarketMarkets } from "../tables/polymarket-markets.ts";
import { polymarketResolutions } from "../tables/polymarket-resolutions.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { walletEntries } from "../tables/wallet-entries.ts";
import { copyOf } from "../definition/table.ts";
import { closingDaysSql } from "./closing-days-sql.ts";
import { resolutionsSql } from "./resolutions-sql.ts";

const fillsByToken = copyOf(polymarketFills, "polymarket_fills_by_token");

/**
 * When the result cannot be known yet: the event's start, else (or where the result came before that: a walkover) a day
 * before the deadline or the resolution, whichever came first. Some venues' catalogues give the listing as the start of
 * an event that has none.
 */
const CLOSE_AT = fromDefinition(
  "if(coalesce(event_start > coalesce(toDateTime(start_date, 'UTC'), event_start - 120) + 60 AND event_start <= resolved_at, false), event_start, least(coalesce(end_date, resolved_at), resolved_at) - 86400)",
);
const TICK = fromDefinition("coalesce(tick_size, toDecimal64('0.01', 6))");
const HOUR = fromDefinition("intDiv(toUnixTimestamp(ts), 3600)");
const EVENT = fromDefinition("cityHash64(if(event_slug = '', toString(condition_id), event_slug))");

/** Per share bought, cut to six places. */
const ratio = (amount: Sql): Sql => sql`toDecimal64(toDecimal128(${amount}, 12) / bought, 6)`;
/** A price of the first outcome as the entry's own; 0 where there is none. */
const ofOutcome = (first: Sql): Sql => sql`toDecimal64(coalesce(if(outcome = 1, ${first}, 1 - ${first}), 0), 6)`;

/** Of an outcome. */
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

/**
 * The head of the statement: what was resolved on the day (`resolved_list`), and its tokens one by one (`outcome_list`),
 * as scalars, since a subquery is worked out in each place that names it.
 */
const withOutcomes = (day: Bound): Sql => {
  const resolved = sql`(SELECT each.1 AS condition_id, each.2 AS resolved_at, each.3 AS payouts FROM (SELECT arrayJoin(resolved_list) AS each))`;
  return sql`WITH (SELECT groupArray((condition_id, ts, payouts)) FROM ${resolutionsSql({ day })}) AS resolved_list,
  (SELECT groupArray((${OUTCOME_FIELDS})) FROM (SELECT condition_id, category, event_key, tick, resolved_at, close_at, outcome, tokens[outcome] AS token_id, payouts[outcome] AS payout
  FROM (SELECT condition_id, category, ${EVENT} AS event_key, ${TICK} AS tick, resolved_at, payouts, ${CLOSE_AT} AS close_at, [side_a_token_id, side_b_token_id] AS tokens
    FROM (SELECT * FROM ${polymarketMarkets} FINAL WHERE condition_id IN (SELECT condition_id FROM ${resolved})) AS m INNER JOIN ${resolved} AS r USING (condition_id)
    WHERE length(payouts) = 2) ARRAY JOIN [1, 2] AS outcome)) AS outcome_list`;
};

/** One row a token of the markets that were resolved on the day. */
const OUTCOMES = sql`(SELECT ${fromDefinition(FIELDS.map((field, index) => `each.${index + 1} AS ${field}`).join(", "))} FROM (SELECT arrayJoin(outcome_list) AS each))`;

const LEGS = sql`(SELECT wallet, token_id, ts, side, role, shares, usd, fee_usd, o.* EXCEPT (token_id) FROM (SELECT * FROM ${fillsByToken} WHERE token_id IN (SELECT token_id FROM ${OUTCOMES}) AND shares > 0) AS f INNER JOIN ${OUTCOMES} AS o USING (token_id) WHERE f.ts <= o.resolved_at)`;

/**
 * Legs of a wallet in a token and hour: what it bought, and what all of them add to the price of the first outcome
 * (`num` over `den`), of which in the day before the close (`close_num` over `close_den`).
 */
const HOURS = sql`(SELECT wallet, token_id, condition_id, category, event_key, payout, outcome, ${HOUR} AS hour, any(tick) AS step,
    sumIf(shares, is_buy) AS bought, sumIf(usd, is_buy) AS paid, sumIf(fee_usd, is_buy) AS fee, sumIf(usd, is_buy AND role = 'maker') AS maker, maxIf(ts, is_buy) < any(close_at) AS is_early,
    sum(first_usd) AS num, sum(shares) AS den, sumIf(first_usd, is_last_day) AS close_num, sumIf(shares, is_last_day) AS close_den
  FROM (SELECT *, side = 'BUY' AS is_buy, if(outcome = 1, usd, shares - usd) AS first_usd, ts < close_at AND ts >= close_at - 86400 AS is_last_day FROM ${LEGS})
  GROUP BY wallet, token_id, condition_id, category, event_key, payout, outcome, hour)`;

/** With the price of the first outcome in the day before the close, and in the 24 hours after the hour. */
const PRICED = sql`(SELECT *, toNullable(toDecimal128(sum(close_num) OVER market, 12)) / nullIf(sum(close_den) OVER market, 0) AS close_first,
    toNullable(toDecimal128(sum(num) OVER later, 12)) / nullIf(sum(den) OVER later, 0) AS later_first
  FROM ${HOURS}
  WINDOW market AS (PARTITION BY condition_id), later AS (PARTITION BY condition_id ORDER BY hour RANGE BETWEEN 1 FOLLOWING AND 24 FOLLOWING))`;

/** Buys of one hour are one entry. All figures are decimals, so that no order of rows changes a digit. */
const ENTRIES = sql`(SELECT *, ${ratio(sql`paid`)} AS price, price > 0.05 AND price < 0.95 AS counts, step + ${ratio(sql`fee`)} AS cost,
    toDecimal64(toDecimal128(price, 12) * (1 - price), 6) AS variance, payout - price AS edge, toDecimal64(toDecimal128(edge, 12) * edge, 6) AS brier,
    counts AND is_early AND isNotNull(close_first) AS has_close, ${ofOutcome(sql`close_first`)} - price AS clv,
    counts AND isNotNull(later_first) AS has_later, greatest(-0.1::Decimal64(6), least(0.1::Decimal64(6), ${ofOutcome(sql`later_first`)} - price)) AS later
  FROM ${PRICED} WHERE bought > 0)`;

const SUMS = fromDefinition(
  [
    "toUInt32(countIf(counts)) AS entries",
    ...["edge", "cost", "variance", "brier"].map((one) => `sumIf(${one}, counts) AS ${one}_sum`),
    "toUInt32(countIf(has_close)) AS clv_entries",
    "sumIf(clv, has_close) AS clv_sum",
    "sumIf(edge, has_close) AS clv_edge_sum",
    "toUInt32(countIf(has_later)) AS later_entries",
    "sumIf(later, has_later) AS later_sum",
    ...["edge", "cost", "variance"].map((one) => `sumIf(${one}, has_later) AS later_${one}_sum`),
  ].join(", "),
);

/** Fills, resolutions (the catalogue's where the chain tells none) and the catalogue → what each wallet bought of each token that was resolved on the day. */
export const walletEntriesFromFills = defineDayDerivation({
  name: "wallet-entries",
  title: "Entries of wallets in resolved markets",
  from: [polymarketFills, polymarketResolutions, polymarketMarkets],
  into: walletEntries,
  after: [],
  touched: ({ since, today }) => {
    if (since === undefined)
      return sql`SELECT DISTINCT toString(day) AS day FROM (SELECT toDate(ts) AS day FROM ${polymarketResolutions} UNION ALL ${closingDaysSql(sql`1`)})`;
    const changed = sql`ingested_at >= fromUnixTimestamp64Micro(toInt64(${since}), 'UTC')`;
    const tokens = sql`SELECT DISTINCT token_id FROM ${polymarketFills} WHERE ${changed}`;
    const ofFills = sql`SELECT condition_id FROM ${polymarketTokens} WHERE token_id IN (${tokens})`;
    const ofMarkets = sql`SELECT condition_id FROM ${polymarketMarkets} WHERE ${changed}`;
    return sql`SELECT DISTINCT toString(day) AS day FROM (SELECT toDate(ts) AS day FROM ${polymarketResolutions} WHERE ${changed} OR condition_id IN (${ofFills}) OR condition_id IN (${ofMarkets}) UNION ALL ${closingDaysSql(sql`${changed} OR condition_id IN (${ofFills})`)} UNION ALL SELECT arrayJoin([${today} - 1, ${today}]) AS day)`;
  },
  select: (day) =>
    sql`${withOutcomes(day)} SELECT wallet, token_id, any(condition_id) AS condition_id, any(event_key) AS event_key, any(category) AS category, any(payout) AS payout,
  sum(bought) AS shares, sum(paid) AS bought_usd, sum(maker) AS maker_usd, ${SUMS} FROM ${ENTRIES} GROUP BY wallet, token_id`,
});
