import type { Day, FoldReader } from "../../definition/fold.ts";
import { bind, sql, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { polymarketResolutions } from "../../tables/polymarket-resolutions.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";

const BY_CONDITION = copyOf(polymarketResolutions, "polymarket_resolutions_by_condition");
const BY_TOKEN = copyOf(walletTokenDays, "wallet_token_days_by_token");
/** Tokens of one statement: their ids travel as text. */
const TOKENS_A_READ = 1500;

/** `told`: the day of the result; `at`: its moment (Unix seconds). */
type Named = { readonly token: string; readonly condition: string; readonly told: Day; readonly at: number };

/**
 * Tokens of chosen conditions that somebody holds, or did something with since the result, without a payout though the
 * chain told it, on the day `told`: which outcome they are became known after that.
 */
export async function namedAfterTold(read: FoldReader, chosen: Sql): Promise<readonly Named[]> {
  const told = sql`(SELECT condition_id, min(ts) AS first_ts, min(ingested_at) AS told_at FROM ${BY_CONDITION} WHERE ${chosen} GROUP BY condition_id)`;
  const named = await read.rows<Named>(
    sql`SELECT toString(token_id) AS token, concat('0x', lower(hex(condition_id))) AS condition, toString(toDate(r.first_ts, 'UTC')) AS told, toUnixTimestamp(r.first_ts) AS at FROM ${polymarketTokens} AS t FINAL INNER JOIN ${told} AS r USING (condition_id) WHERE ${chosen} AND t.version >= toUnixTimestamp64Micro(r.told_at)`,
  );
  const found: Named[] = [];
  for (let place = 0; place < named.length; place += TOKENS_A_READ) {
    const some = named.slice(place, place + TOKENS_A_READ);
    const unpaid = await findUnpaid(read, some);
    found.push(...some.filter(({ token, at }) => (unpaid.get(token) ?? -1) >= at));
  }
  return found;
}

/**
 * When somebody was last without a payout of these tokens (Unix seconds; for ever where it is still held so). What was
 * sold out before the result has none either, and is right so.
 */
async function findUnpaid(read: FoldReader, tokens: readonly Named[]): Promise<ReadonlyMap<string, number>> {
  const ids = bind("String", tokens.map(({ token }) => token).join(","));
  const rows = await read.rows<{ token: string; is_held: number; last_at: number }>(
    sql`SELECT toString(token_id) AS token, max(last.1 != 0 AND isNull(last.2)) AS is_held, toUnixTimestamp(max(unpaid_at)) AS last_at FROM (SELECT token_id, wallet, argMax((shares, payout), day) AS last, maxIf(last_at, isNull(payout)) AS unpaid_at FROM ${BY_TOKEN} FINAL WHERE token_id IN (SELECT toUInt256(arrayJoin(splitByChar(',', ${ids})))) AND NOT is_gone GROUP BY token_id, wallet) GROUP BY token_id`,
  );
  return new Map(rows.map(({ token, is_held, last_at }) => [token, is_held === 1 ? Infinity : last_at]));
}
