import type { FoldReader, Touched } from "../../definition/fold.ts";
import { isOneOf } from "../../definition/filter.ts";
import { sql } from "../../definition/sql.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { holdersOfTokens } from "./holders-of-tokens.ts";

const CONDITIONS_A_READ = 1500;

/** Wallets that held a token of one of these conditions, each with the day given for it. */
export async function holdersOfConditions(read: FoldReader, conditions: Touched): Promise<Touched> {
  const tokens = new Map<string, string>();
  const all = [...conditions.keys()];
  for (let place = 0; place < all.length; place += CONDITIONS_A_READ) {
    const chosen = isOneOf(sql`condition_id`, all.slice(place, place + CONDITIONS_A_READ), 32);
    const rows = await read.rows<{ token: string; condition: string }>(
      sql`SELECT toString(token_id) AS token, concat('0x', lower(hex(condition_id))) AS condition FROM ${polymarketTokens} FINAL WHERE ${chosen}`,
    );
    for (const { token, condition } of rows) tokens.set(token, conditions.get(condition) ?? "");
  }
  return holdersOfTokens(read, tokens);
}
