import { bind, sql, type Sql } from "../definition/sql.ts";
import { UNKNOWN_OUTCOME } from "../tables/polymarket-tokens.ts";

/** The place of a token's outcome in its market; UNKNOWN_OUTCOME while it is not known. */
export const outcomeIndexOf = (token: Sql): Sql =>
  sql`dictGetOrDefault('polymarket_token_info', 'outcome_index', ${token}, toUInt8(${bind("UInt8", UNKNOWN_OUTCOME)}))`;
