import { sql, type Sql, bind } from "../definition/sql.ts";
import { UNKNOWN_OUTCOME } from "../tables/polymarket-tokens.ts";

/** The condition (0x-hex) of a token; empty while its market is unknown. */
export const conditionOf = (token: Sql): Sql =>
  sql`dictGetOrDefault('polymarket_token_info', 'condition_id', ${token}, '')`;

/** The index of a token's outcome in its market; UNKNOWN_OUTCOME while it is unknown. */
export const outcomeIndexOf = (token: Sql): Sql =>
  sql`dictGetOrDefault('polymarket_token_info', 'outcome_index', ${token}, toUInt8(${bind("UInt8", UNKNOWN_OUTCOME)}))`;
