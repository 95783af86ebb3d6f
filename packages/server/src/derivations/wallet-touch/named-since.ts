import type { FoldReader, Touched } from "../../definition/fold.ts";
import { sql } from "../../definition/sql.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";

/** Wallets whose rows were worked out before the market of a token was known, where it is known by now. */
export async function namedSince(read: FoldReader): Promise<Touched> {
  const rows = await read.rows<{ wallet: string; day: string }>(
    sql`SELECT concat('0x', lower(hex(wallet))) AS wallet, toString(min(day)) AS day FROM ${walletTokenDays} FINAL WHERE condition_id = toFixedString('', 32) AND NOT is_gone AND token_id IN (SELECT token_id FROM ${polymarketTokens} WHERE token_id IN (SELECT token_id FROM ${walletTokenDays} WHERE condition_id = toFixedString('', 32))) GROUP BY wallet`,
  );
  return new Map(rows.map(({ wallet, day }) => [wallet, day]));
}
