import type { FoldReader, Touched } from "../../definition/fold.ts";
import { isOneOf } from "../../definition/filter.ts";
import { sql } from "../../definition/sql.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { CATALOGUE_IS_FINAL } from "../catalogue-is-final.ts";
import { holdersOfTokens } from "./holders-of-tokens.ts";

const CONDITIONS_A_READ = 1500;

/**
 * Wallets that held a token of one of these conditions, each with the day given for it, or an earlier one from which
 * the catalogue's word counts while the chain's does not.
 */
export async function holdersOfConditions(read: FoldReader, conditions: Touched): Promise<Touched> {
  const tokens = new Map<string, string>();
  const all = [...conditions.keys()];
  for (let place = 0; place < all.length; place += CONDITIONS_A_READ) {
    const chosen = isOneOf(sql`condition_id`, all.slice(place, place + CONDITIONS_A_READ), 32);
    const rows = await read.rows<{ token: string; condition: string; closed: string | null }>(
      sql`SELECT toString(token_id) AS token, concat('0x', lower(hex(condition_id))) AS condition, c.closed AS closed FROM ${polymarketTokens} AS t FINAL LEFT JOIN (SELECT condition_id, toNullable(toString(toDate(closed_date))) AS closed FROM ${polymarketMarkets} FINAL WHERE ${chosen} AND ${CATALOGUE_IS_FINAL}) AS c USING (condition_id) WHERE ${chosen} SETTINGS join_use_nulls = 1`,
    );
    for (const { token, condition, closed } of rows) {
      const day = conditions.get(condition) ?? "";
      tokens.set(token, closed !== null && closed < day ? closed : day);
    }
  }
  return holdersOfTokens(read, tokens, true);
}
