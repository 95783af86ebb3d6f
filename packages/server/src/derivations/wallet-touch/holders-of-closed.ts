import type { Day, FoldReader, Touched } from "../../definition/fold.ts";
import { hexOf, isOneOf } from "../../definition/filter.ts";
import { slicesOf } from "../../definition/slices.ts";
import { sql, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { polymarketResolutions } from "../../tables/polymarket-resolutions.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { BY_TOKEN, holdersOfTokens, IDS_A_READ, tokensSql } from "./holders-of-tokens.ts";

const BY_CONDITION = copyOf(polymarketResolutions, "polymarket_resolutions_by_condition");
const CONDITION = hexOf(sql`condition_id`);

/**
 * Wallets that held a token of one of these conditions whose catalogue data changed after they closed. Conditions with
 * payouts on the chain count only if those could not be applied: see namedAfterReported.
 */
export async function holdersOfClosed(read: FoldReader, conditions: Touched): Promise<Touched> {
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
