import type { RefreshTurn } from "../../definition/refresh.ts";
import { bind, sql, type Sql } from "../../definition/sql.ts";
import { marketSnapshots } from "../../tables/market-snapshots.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { polymarketResolutions } from "../../tables/polymarket-resolutions.ts";

const LATE_MS = 600_000;
const WEEK_AND_A_DAY_MS = 8 * 86_400_000;

export const momentOf = (ms: number): Sql => sql`fromUnixTimestamp64Milli(${bind("Int64", ms)}, 'UTC')`;

/** Conditions (0x-hex) whose figures have to be worked out in a turn, near each other where their tokens are. */
export function chooseMarkets({ now, since, isWhole }: RefreshTurn): Sql {
  const known = sql`LEFT JOIN (SELECT condition_id, market_closed, volume_7d, version AS seen FROM ${marketSnapshots} FINAL) AS s USING (condition_id)`;
  if (since === undefined)
    return sql`SELECT concat('0x', lower(hex(condition_id))) AS id FROM ${polymarketMarkets} FINAL ORDER BY side_a_token_id`;
  const traded = sql`(SELECT token_id FROM ${polymarketFills} WHERE ts >= ${momentOf(since - LATE_MS)})`;
  const resolved = sql`(SELECT condition_id FROM ${polymarketResolutions} WHERE ts >= ${momentOf(since - LATE_MS)})`;
  const changed = sql`s.seen = 0 OR s.market_closed != closed OR side_a_token_id IN ${traded} OR side_b_token_id IN ${traded} OR condition_id IN ${resolved}`;
  const moving = isWhole
    ? sql` OR NOT closed OR closed_date >= ${momentOf(now - WEEK_AND_A_DAY_MS)} OR s.volume_7d > 0`
    : sql``;
  return sql`SELECT concat('0x', lower(hex(condition_id))) AS id FROM ${polymarketMarkets} FINAL ${known} WHERE ${changed}${moving} ORDER BY side_a_token_id SETTINGS join_use_nulls = 0`;
}
