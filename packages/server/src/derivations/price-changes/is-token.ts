import { sql, type Sql } from "../../definition/sql.ts";

/** An instrument of `book_quotes_1m` that is a token of Polymarket. */
export const IS_TOKEN: Sql = sql`match(instrument, '^[0-9]+$')`;
