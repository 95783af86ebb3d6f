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

type Named = { readonly token: string; readonly condition: string; readonly told: Day };

/**
 * Tokens of chosen conditions that somebody holds without a payout though the chain told it, on the day `told`: which
 * outcome they are became known after that.
 */
export async function namedAfterTold(read: FoldReader, chosen: Sql): Promise<readonly Named[]> {
  const told = sql`(SELECT condition_id, toString(toDate(min(ts), 'UTC')) AS told, min(ingested_at) AS told_at FROM ${BY_CONDITION} WHERE ${chosen} GROUP BY condition_id)`;
  const named = await read.rows<Named>(
    sql`SELECT toString(token_id) AS token, concat('0x', lower(hex(condition_id))) AS condition, r.told AS told FROM ${polymarketTokens} AS t FINAL INNER JOIN ${told} AS r USING (condition_id) WHERE ${chosen} AND t.version >= toUnixTimestamp64Micro(r.told_at)`,
  );
  const found: Named[] = [];
  for (let place = 0; place < named.length; place += TOKENS_A_READ) {
    const some = named.slice(place, place + TOKENS_A_READ);
    const unpaid = new Set(await findUnpaid(read, some));
    found.push(...some.filter(({ token }) => unpaid.has(token)));
  }
  return found;
}

async function findUnpaid(read: FoldReader, tokens: readonly Named[]): Promise<readonly string[]> {
  const ids = bind("String", tokens.map(({ token }) => token).join(","));
  const rows = await read.rows<{ token: string }>(
    sql`SELECT DISTINCT toString(token_id) AS token FROM (SELECT token_id, wallet, argMax((shares, payout), day) AS last FROM ${BY_TOKEN} FINAL WHERE token_id IN (SELECT toUInt256(arrayJoin(splitByChar(',', ${ids})))) AND NOT is_gone GROUP BY token_id, wallet) WHERE last.1 != 0 AND isNull(last.2)`,
  );
  return rows.map(({ token }) => token);
}
