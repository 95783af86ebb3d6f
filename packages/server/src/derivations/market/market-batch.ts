import { bind, sql, type Sql } from "../../definition/sql.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";

/** Some markets (0x-hex condition ids), as the statements over them name them. */
export type MarketBatch = {
  /** condition_id IN … */
  readonly conditions: Sql;
  /** Rows (condition_id, token_id, is_yes) of their tokens. */
  readonly tokens: Sql;
  /** token_id IN …, in a form by which the engine prunes. */
  readonly tokenIds: Sql;
};

export function marketBatch(ids: readonly string[]): MarketBatch {
  const conditions = sql`condition_id IN (SELECT toFixedString(unhex(substring(arrayJoin(${bind("Array(String)", ids)}), 3)), 32))`;
  const markets = sql`${polymarketMarkets} FINAL WHERE ${conditions}`;
  return {
    conditions,
    tokens: sql`(SELECT condition_id, token.1 AS token_id, token.2 AS is_yes FROM (SELECT condition_id, arrayJoin([(side_a_token_id, true), (side_b_token_id, false)]) AS token FROM ${markets}) WHERE token_id != 0)`,
    tokenIds: sql`token_id IN (SELECT arrayJoin([side_a_token_id, side_b_token_id]) FROM ${markets})`,
  };
}
