import type { FoldReader, Touched } from "../../definition/fold.ts";
import { bind, sql } from "../../definition/sql.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { holdersOfTokens } from "./holders-of-tokens.ts";

const CONDITIONS_A_READ = 1500;

/** Wallets that held a token of one of these conditions, each with the day given for it. */
export async function holdersOfConditions(read: FoldReader, conditions: Touched): Promise<Touched> {
  const tokens = new Map<string, string>();
  const all = [...conditions.keys()];
  for (let place = 0; place < all.length; place += CONDITIONS_A_READ) {
    const ids = bind(
      "Array(String)",
      all.slice(place, place + CONDITIONS_A_READ).map((id) => id.slice(2)),
    );
    const rows = await read.rows<{ token: string; condition: string }>(
      sql`SELECT toString(token_id) AS token, concat('0x', lower(hex(condition_id))) AS condition FROM ${polymarketTokens} FINAL WHERE condition_id IN (SELECT toFixedString(unhex(arrayJoin(${ids})), 32))`,
    );
    for (const { token, condition } of rows) tokens.set(token, conditions.get(condition) ?? "");
  }
  return holdersOfTokens(read, tokens);
}
