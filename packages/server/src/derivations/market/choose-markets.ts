import type { RefreshCycle, RefreshStore } from "../../definition/regular-jobs.ts";
import { bind, fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { marketSnapshots } from "../../tables/market-snapshots.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { polymarketResolutions } from "../../tables/polymarket-resolutions.ts";
import { tokenDays } from "../../tables/token-days.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import type { Market } from "./market-figures-sql.ts";

/** Longest delay between storing a row and storing everything derived from it. */
export const LATE_MS = 600_000;
const WEEK_AND_A_DAY_MS = 8 * 86_400_000;

export const timestampOf = (ms: number): Sql => sql`fromUnixTimestamp64Milli(${bind("Int64", ms)}, 'UTC')`;

const MARKET = fromDefinition(
  "concat('0x', lower(hex(condition_id))) AS id, hex(side_a_token_id) AS token_a, hex(side_b_token_id) AS token_b",
);

type Chosen = Pick<RefreshCycle, "now" | "since" | "isWhole">;

/** Markets that are held in memory at once: the first cycle chooses the whole catalogue. */
const MOST_AT_ONCE = 50_000;

/**
 * Markets whose figures have to be recomputed in a cycle, in slices of at most `most`, ordered so that neighbouring
 * tokens are together.
 */
export async function* chooseMarkets(
  store: RefreshStore,
  cycle: Chosen,
  most = MOST_AT_ONCE,
): AsyncGenerator<readonly Market[]> {
  for (let after: Market | undefined; ;) {
    const chosen: readonly Market[] = await store.rows<Market>(nextMarkets(cycle, after, most));
    if (chosen.length > 0) yield chosen;
    after = chosen.at(-1);
    if (after === undefined || chosen.length < most) return;
  }
}

function nextMarkets({ now, since, isWhole }: Chosen, after: Market | undefined, most: number): Sql {
  const next = after === undefined ? sql`true` : isAfter(after);
  const ordered = sql`ORDER BY side_a_token_id, condition_id LIMIT ${bind("UInt32", most)}`;
  if (since === undefined) return sql`SELECT ${MARKET} FROM ${polymarketMarkets} FINAL WHERE ${next} ${ordered}`;
  const known = sql`LEFT JOIN (SELECT condition_id, market_closed, volume_7d, version AS seen FROM ${marketSnapshots} FINAL) AS s USING (condition_id)`;
  const changed = sql`s.seen = 0 OR s.market_closed != closed OR ${storedSince(since - LATE_MS)}`;
  const moving = isWhole
    ? sql` OR NOT closed OR closed_date >= ${timestampOf(now - WEEK_AND_A_DAY_MS)} OR s.volume_7d > 0`
    : sql``;
  return sql`SELECT ${MARKET} FROM ${polymarketMarkets} FINAL ${known} WHERE ${next} AND (${changed}${moving}) ${ordered} SETTINGS join_use_nulls = 0`;
}

const isAfter = ({ id, token_a: token }: Market): Sql =>
  sql`(side_a_token_id, condition_id) > (reinterpretAsUInt256(reverse(unhex(${bind("String", token)}))), toFixedString(unhex(${bind("String", id.slice(2))}), 32))`;

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
