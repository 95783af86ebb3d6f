import type { Day, FoldSource, FoldReader, Touched } from "../../definition/fold.ts";
import { sql, bind, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { polymarketPositionChanges } from "../../tables/polymarket-position-changes.ts";
import { polymarketResolutions } from "../../tables/polymarket-resolutions.ts";
import { polymarketTransfers } from "../../tables/polymarket-transfers.ts";
import { tokenDays } from "../../tables/token-days.ts";
import { BY_TOKEN, holdersOfTokens, holdersWithin, IDS_A_READ, type MarkSpan, tokensSql } from "./holders-of-tokens.ts";
import { hexOf, isOneOf } from "../../definition/filter.ts";
import { slicesOf } from "../../definition/slices.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { CATALOGUE_IS_FINAL } from "../market-facts-sql.ts";

const BY_CONDITION = copyOf(polymarketResolutions, "polymarket_resolutions_by_condition");
const CONDITION = hexOf(sql`condition_id`);

/**
 * Wallets that held a token of one of these conditions, each with the day given for it, or an earlier one from which
 * the catalogue's resolution applies while the chain's does not.
 */
async function holdersOfConditions(read: FoldReader, conditions: Touched): Promise<Touched> {
  const tokens = new Map<string, string>();
  for (const some of slicesOf([...conditions.keys()], IDS_A_READ)) {
    const chosen = isOneOf(sql`condition_id`, some, 32);
    const rows = await read.rows<{ token: string; condition: string; closed: string | null }>(
      sql`SELECT toString(token_id) AS token, ${CONDITION} AS condition, c.closed AS closed FROM ${polymarketTokens} AS t FINAL LEFT JOIN (SELECT condition_id, toNullable(toString(toDate(closed_date))) AS closed FROM ${polymarketMarkets} FINAL WHERE ${chosen} AND ${CATALOGUE_IS_FINAL}) AS c USING (condition_id) WHERE ${chosen} SETTINGS join_use_nulls = 1`,
    );
    for (const { token, condition, closed } of rows) {
      const day = conditions.get(condition) ?? "";
      tokens.set(token, closed !== null && closed < day ? closed : day);
    }
  }
  return holdersOfTokens(read, tokens);
}

/**
 * Wallets that held a token of one of these conditions whose catalogue data changed after they closed. Conditions with
 * payouts on the chain count only if those could not be applied: see namedAfterReported.
 */
async function holdersOfClosed(read: FoldReader, conditions: Touched): Promise<Touched> {
  const tokens = new Map<string, string>();
  for (const some of slicesOf([...conditions.keys()], IDS_A_READ)) {
    const chosen = isOneOf(sql`condition_id`, some, 32);
    const rows = await read.rows<{ token: string; condition: string }>(
      sql`SELECT toString(arrayJoin([side_a_token_id, side_b_token_id])) AS token, ${CONDITION} AS condition FROM ${polymarketMarkets} FINAL WHERE ${chosen} AND condition_id NOT IN (SELECT condition_id FROM ${BY_CONDITION} WHERE ${chosen})`,
    );
    for (const { token, condition } of rows) if (token !== "0") tokens.set(token, conditions.get(condition) ?? "");
    for (const { token, condition, reported } of await namedAfterReported(read, chosen)) {
      const day = conditions.get(condition) ?? reported;
      tokens.set(token, reported < day ? reported : day);
    }
  }
  return holdersOfTokens(read, tokens);
}

/** `reported`: the day of the result; `at`: its time (Unix seconds). */
type Named = { readonly token: string; readonly condition: string; readonly reported: Day; readonly at: number };

/**
 * Tokens of chosen conditions that a wallet holds, or had an event in since the result, without a payout although the
 * chain reported it, on the day `reported`: their outcome became known later.
 */
async function namedAfterReported(read: FoldReader, chosen: Sql): Promise<readonly Named[]> {
  const reported = sql`(SELECT condition_id, min(ts) AS first_ts, min(ingested_at) AS reported_at FROM ${BY_CONDITION} WHERE ${chosen} GROUP BY condition_id)`;
  const named = await read.rows<Named>(
    sql`SELECT toString(token_id) AS token, ${CONDITION} AS condition, toString(toDate(r.first_ts, 'UTC')) AS reported, toUnixTimestamp(r.first_ts) AS at FROM ${polymarketTokens} AS t FINAL INNER JOIN ${reported} AS r USING (condition_id) WHERE ${chosen} AND t.version >= toUnixTimestamp64Micro(r.reported_at)`,
  );
  const found: Named[] = [];
  for (const some of slicesOf(named, IDS_A_READ)) {
    const unpaid = await findUnpaid(read, some);
    found.push(...some.filter(({ token, at }) => (unpaid.get(token) ?? -1) >= at));
  }
  return found;
}

/**
 * Last time a wallet had no payout for these tokens (Unix seconds; infinite if a wallet still holds them so). Tokens
 * sold out before the result correctly have none either.
 */
async function findUnpaid(read: FoldReader, tokens: readonly Named[]): Promise<ReadonlyMap<string, number>> {
  const ids = tokensSql(tokens.map(({ token }) => token));
  const rows = await read.rows<{ token: string; is_held: number; last_at: number }>(
    sql`SELECT toString(token_id) AS token, max(last.1 != 0 AND isNull(last.2)) AS is_held, toUnixTimestamp(max(unpaid_at)) AS last_at FROM (SELECT token_id, wallet, argMax((shares, payout), day) AS last, maxIf(last_at, isNull(payout)) AS unpaid_at FROM ${BY_TOKEN} FINAL WHERE token_id IN ${ids} AND NOT is_gone GROUP BY token_id, wallet) GROUP BY token_id`,
  );
  return new Map(rows.map(({ token, is_held, last_at }) => [token, is_held === 1 ? Infinity : last_at]));
}

/** Inputs of a wallet's days: its own rows, resolutions of its holdings, and the prices that mark them. */
export const walletSources: readonly FoldSource[] = [
  {
    table: polymarketFills,
    timestamp: "ts",
    columns: { wallet: "polymarket_fills_by_wallet" },
    // Rows of the Data API are replaced by those of the chain within ten minutes of them.
    lateSeconds: 600,
  },
  {
    table: polymarketPositionChanges,
    timestamp: "ts",
    columns: { wallet: "polymarket_position_changes_by_wallet" },
    // Own operations of exchanges and adapters are in no ledger, and would cause recomputation in every cycle.
    only: { row: ({ is_inner }) => is_inner !== true, stored: sql`NOT is_inner` },
  },
  {
    table: polymarketTransfers,
    timestamp: "ts",
    columns: { from_wallet: "polymarket_transfers_by_sender", to_wallet: "polymarket_transfers_by_receiver" },
  },
  {
    table: polymarketResolutions,
    timestamp: "ts",
    columns: { condition_id: "polymarket_resolutions_by_condition" },
    find: holdersOfConditions,
  },
  {
    // Resolutions that the chain does not have (yet): see resolutionsSql.
    table: polymarketMarkets,
    timestamp: "closed_date",
    columns: { condition_id: "polymarket_markets" },
    only: {
      row: ({ closed, closed_date }) => closed === true && closed_date !== null,
      stored: sql`closed AND isNotNull(closed_date)`,
    },
    find: holdersOfClosed,
  },
  {
    table: tokenDays,
    timestamp: "day",
    columns: { day: "token_days" },
    isOfClosedDays: true,
    find: holdersOfMarks,
  },
  {
    // A removed mark cannot be found by its day.
    table: tokenDays,
    timestamp: "day",
    columns: { token_id: "token_days" },
    isOfClosedDays: true,
    only: { row: () => false, stored: sql`false` },
    find: holdersOfTokens,
  },
];

/**
 * Wallets that held a token whose last price of one of these days changed since a time (Unix ms), while it was the
 * newest one.
 */
async function holdersOfMarks(read: FoldReader, days: Touched, sinceMs: number | undefined): Promise<Touched> {
  const touched = sql`day IN ${bind("Array(Date)", [...new Set(days.values())])}`;
  const since = sinceMs === undefined ? undefined : bind("UInt64", BigInt(Math.max(0, sinceMs)) * 1000n);
  const isNew = since
    ? sql`${touched} AND version >= ${since} AND (marked_version = 0 OR marked_version >= ${since})`
    : touched;
  const rows = await read.rows<MarkSpan>(
    sql`SELECT toString(token_id) AS token, toString(min(day)) AS day, toString(arrayMin(arrayPushBack(arrayFilter(one -> one > max(day), any(marked_on)), toDate('2149-06-06')))) AS next FROM ${tokenDays} INNER JOIN (SELECT token_id, groupArray(day) AS marked_on FROM ${tokenDays} WHERE token_id IN (SELECT token_id FROM ${tokenDays} WHERE ${isNew}) GROUP BY token_id) AS m USING (token_id) WHERE ${isNew} GROUP BY token_id`,
  );
  return holdersWithin(read, rows);
}
