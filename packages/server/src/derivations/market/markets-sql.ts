import { idsSql, textsSql } from "../../definition/filter.ts";
import { fromDefinition, sql, type Sql } from "../../definition/sql.ts";

/** A market of the catalogue: its condition (0x-hex) and the tokens of its outcomes (hex, 0 where there is none). */
export type Market = { readonly id: string; readonly token_a: string; readonly token_b: string };

/** condition_id IN the markets', in a form by which the engine prunes. */
export const conditionsOf = (markets: readonly Market[]): Sql =>
  sql`condition_id IN (${idsSql(
    markets.map(({ id }) => id),
    32,
  )})`;

/**
 * The head of a statement that names the tokens of markets, as a scalar: a subquery is worked out in each place that
 * names it, and a bound list is sent and read in each.
 */
export function withTokens(markets: readonly Market[]): Sql {
  const texts = textsSql(markets.flatMap(({ token_a, token_b }) => [token_a, token_b]));
  return sql`WITH (SELECT arrayMap(text -> reinterpretAsUInt256(reverse(unhex(text))), ${texts})) AS token_list`;
}

/** Behind `withTokens`, token_id IN …, in a form by which the engine prunes. */
export const OF_TOKENS = fromDefinition("token_id IN (SELECT arrayJoin(token_list))");

/** Behind `withTokens`, rows (place, token_id, is_yes); `place` is that of the market among those, from 0. */
export const TOKENS = fromDefinition(
  "(SELECT toUInt32(intDiv(each.1 - 1, 2)) AS place, each.2 AS token_id, each.1 % 2 = 1 AS is_yes FROM (SELECT arrayJoin(arrayZip(arrayEnumerate(token_list), token_list)) AS each) WHERE token_id != 0)",
);
