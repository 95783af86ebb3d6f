import type { FoldReader, Touched } from "../../definition/fold.ts";
import { hexOf } from "../../definition/filter.ts";
import { sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";

const BY_TOKEN = copyOf(walletTokenDays, "wallet_token_days_by_token");
const UNNAMED = sql`condition_id = toFixedString('', 32)`;

/** Wallets whose rows were worked out before the market of a token was known, where it is known by now. */
export async function namedSince(read: FoldReader): Promise<Touched> {
  // Nearly always there is none, which an index tells.
  const some = await read.rows<{ found: number }>(sql`SELECT 1 AS found FROM ${BY_TOKEN} WHERE ${UNNAMED} LIMIT 1`);
  if (some.length === 0) return new Map();
  const named = sql`SELECT token_id FROM ${polymarketTokens} WHERE token_id IN (SELECT token_id FROM ${BY_TOKEN} WHERE ${UNNAMED})`;
  // Not FINAL: of a row that was named since, an index would leave only what it was before.
  const newest = sql`SELECT wallet, day, argMax(t.condition_id, t.version) AS condition_id, argMax(t.is_gone, t.version) AS is_gone FROM ${BY_TOKEN} AS t WHERE (token_id, wallet, day) IN (SELECT token_id, wallet, day FROM ${BY_TOKEN} WHERE ${UNNAMED} AND token_id IN (${named})) GROUP BY wallet, day, token_id`;
  const rows = await read.rows<{ address: string; since: string }>(
    sql`SELECT ${hexOf(sql`wallet`)} AS address, toString(min(day)) AS since FROM (${newest}) WHERE ${UNNAMED} AND NOT is_gone GROUP BY wallet`,
  );
  return new Map(rows.map(({ address, since }) => [address, since]));
}
