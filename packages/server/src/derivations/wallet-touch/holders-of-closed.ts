import type { FoldReader, Touched } from "../../definition/fold.ts";
import { isOneOf } from "../../definition/filter.ts";
import { sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { polymarketResolutions } from "../../tables/polymarket-resolutions.ts";
import { holdersOfTokens } from "./holders-of-tokens.ts";
import { namedAfterTold } from "./named-after-told.ts";

const CONDITIONS_A_READ = 1500;
const BY_CONDITION = copyOf(polymarketResolutions, "polymarket_resolutions_by_condition");

/**
 * Wallets that held a token of one of these conditions, of which the catalogue says something new since they closed. Of
 * those that the chain has told the payouts of only where that could not be counted: see namedAfterTold.
 */
export async function holdersOfClosed(read: FoldReader, conditions: Touched): Promise<Touched> {
  const tokens = new Map<string, string>();
  const all = [...conditions.keys()];
  for (let place = 0; place < all.length; place += CONDITIONS_A_READ) {
    const chosen = isOneOf(sql`condition_id`, all.slice(place, place + CONDITIONS_A_READ), 32);
    const rows = await read.rows<{ token: string; condition: string }>(
      sql`SELECT toString(arrayJoin([side_a_token_id, side_b_token_id])) AS token, concat('0x', lower(hex(condition_id))) AS condition FROM ${polymarketMarkets} FINAL WHERE ${chosen} AND condition_id NOT IN (SELECT condition_id FROM ${BY_CONDITION} WHERE ${chosen})`,
    );
    for (const { token, condition } of rows) if (token !== "0") tokens.set(token, conditions.get(condition) ?? "");
    for (const { token, condition, told } of await namedAfterTold(read, chosen)) {
      const day = conditions.get(condition) ?? told;
      tokens.set(token, told < day ? told : day);
    }
  }
  return holdersOfTokens(read, tokens);
}
