import { sql, type Sql } from "../definition/sql.ts";

/** The condition (0x-hex) of a token; empty while its market is not known. */
export const conditionOf = (token: Sql): Sql =>
  sql`dictGetOrDefault('polymarket_token_info', 'condition_id', ${token}, '')`;
