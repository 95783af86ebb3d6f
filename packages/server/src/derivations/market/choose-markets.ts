import type { RefreshCycle } from "../../definition/regular-jobs.ts";
import { bind, fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { marketSnapshots } from "../../tables/market-snapshots.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { polymarketResolutions } from "../../tables/polymarket-resolutions.ts";
import { tokenDays } from "../../tables/token-days.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";

/** Longest delay between storing a row and storing everything derived from it. */
export const LATE_MS = 600_000;
const WEEK_AND_A_DAY_MS = 8 * 86_400_000;

export const timestampOf = (ms: number): Sql => sql`fromUnixTimestamp64Milli(${bind("Int64", ms)}, 'UTC')`;

const MARKET = fromDefinition(
  "concat('0x', lower(hex(condition_id))) AS id, hex(side_a_token_id) AS token_a, hex(side_b_token_id) AS token_b",
);

/**
 * Markets (see `Market`) whose figures have to be recomputed in a cycle, ordered so that neighbouring tokens are
 * together.
 */
export function chooseMarkets({ now, since, isWhole }: RefreshCycle): Sql {
  const known = sql`LEFT JOIN (SELECT condition_id, market_closed, volume_7d, version AS seen FROM ${marketSnapshots} FINAL) AS s USING (condition_id)`;
  if (since === undefined) return sql`SELECT ${MARKET} FROM ${polymarketMarkets} FINAL ORDER BY side_a_token_id`;
  const changed = sql`s.seen = 0 OR s.market_closed != closed OR ${storedSince(since - LATE_MS)}`;
  const moving = isWhole
    ? sql` OR NOT closed OR closed_date >= ${timestampOf(now - WEEK_AND_A_DAY_MS)} OR s.volume_7d > 0`
    : sql``;
  return sql`SELECT ${MARKET} FROM ${polymarketMarkets} FINAL ${known} WHERE ${changed}${moving} ORDER BY side_a_token_id SETTINGS join_use_nulls = 0`;
}

const ofTokens = (tokens: Sql): Sql => sql`(side_a_token_id IN (${tokens}) OR side_b_token_id IN (${tokens}))`;

/**
 * Selects by storage time, not event time, because history is gathered late. Open markets' quotes, holdings and
 * catalogue rows, which change constantly, wait for the full cycle; a closed market has no other trigger.
 */
function storedSince(since: number): Sql {
  const version = sql`version >= ${bind("UInt64", BigInt(since) * 1000n)}`;
  const ingested = sql`ingested_at >= ${timestampOf(since)}`;
  const traded = ofTokens(sql`SELECT token_id FROM ${polymarketFills} WHERE ${ingested}`);
  const resolved = sql`condition_id IN (SELECT condition_id FROM ${polymarketResolutions} WHERE ${ingested})`;
  const held = ofTokens(sql`SELECT token_id FROM ${walletTokenDays} WHERE ${version}`);
  const marked = ofTokens(sql`SELECT token_id FROM ${tokenDays} WHERE ${version}`);
  return sql`${traded} OR ${resolved} OR closed AND (${version} OR ${held} OR ${marked})`;
}
