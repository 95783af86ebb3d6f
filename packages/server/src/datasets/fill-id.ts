import { hexOf } from "../definition/filter.ts";
import { sql } from "../definition/sql.ts";

/** As `derivedOrderHash` makes it: of what every source tells of a fill. */
const named = sql`arrayStringConcat(['almanac/polymarket/fill/1', ${hexOf(sql`tx_hash`)}, ${hexOf(sql`wallet`)}, toString(token_id), toString(side), toString(toInt64(toDecimal128(shares, 6) * 1000000)), toString(alike_number - 1)], '|')`;

/**
 * The public id of a row of polymarket_fills: its transaction and order hash. Where the Data API told of it first the
 * order hash was derived, and stays a part of the id when the chain is read.
 */
export const fillId = sql`concat(${hexOf(sql`tx_hash`)}, '_', if(alike_number = 0, ${hexOf(sql`order_hash`)}, ${hexOf(sql`SHA256(${named})`)}))`;
