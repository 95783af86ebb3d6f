import { dec, int, iso, json, text, type Column } from "./column.ts";
import type { OrderKey } from "./dataset.ts";
import { orderKey } from "./sorting.ts";
import { sql, type Bound, type Sql } from "./sql.ts";

/** A book has one row a millisecond. */
export const newestBookFirst: readonly OrderKey[] = [orderKey(sql`ts`, "desc", "millis", "timestamp")];

const LEVEL = { type: "object", properties: { size: { type: "number" }, price: { type: "number" } } };

const asText = (levels: Sql): Sql =>
  sql`toJSONString(arrayMap(level -> CAST((toString(level.size), toString(level.price)), 'Tuple(size String, price String)'), ${levels}))`;
const levels = (): Column => json({ type: "array", items: LEVEL }, asText);
const worth = (side: Sql): Sql => sql`arraySum(level -> CAST(level.price, 'Decimal(38, 6)') * level.size, ${side})`;
const best = (side: Sql): Sql => sql`if(empty(${side}), NULL, ${side}[-1].price)`;
/** The best level of a side: its price and size, Decimal64(6). */
type Best = { readonly price: Sql; readonly size: Sql };

/** The mid price weighted by the opposite side's size. No divisor is ever 0, even where the result is not shown. */
export const microPrice = (bid: Best, ask: Best): Sql =>
  sql`(CAST(${bid.price}, 'Decimal(38, 6)') * ${ask.size} + CAST(${ask.price}, 'Decimal(38, 6)') * ${bid.size}) / greatest(${bid.size} + ${ask.size}, toDecimal64('0.000001', 6))`;
const microPriceOf = (bids: Sql, asks: Sql): Sql =>
  sql`if(empty(${bids}) OR empty(${asks}), NULL, ${microPrice({ price: sql`${bids}[-1].price`, size: sql`${bids}[-1].size` }, { price: sql`${asks}[-1].price`, size: sql`${asks}[-1].size` })})`;
const balance = (bids: Sql, asks: Sql): Sql =>
  sql`if(${bids} + ${asks} = 0, NULL, (${bids} - ${asks}) / greatest(${bids} + ${asks}, toDecimal128('0.000000000001', 12)))`;

/** The fields of an order book row, for any venue. */
export function bookFields(unit: string) {
  return {
    asks: levels().describe("Sell levels, price descending: the best is last."),
    bids: levels().describe("Buy levels, price ascending: the best is last."),
    timestamp: iso().describe(
      "When the book became so, to the millisecond: of several events in one the last is shown, so that no two rows of a book have the same moment.",
    ),
    best_bid: dec(6, unit).maybe("Best bid; null where there is none."),
    best_ask: dec(6, unit).maybe("Best ask; null where there is none."),
    mid: dec(6, unit).maybe("Middle of best bid and best ask; null where one is missing."),
    spread: dec(6, unit).maybe("Best ask minus best bid; null where one is missing."),
    bid_depth_usd: dec(2, "USD").describe("Notional of the bids shown."),
    ask_depth_usd: dec(2, "USD").describe("Notional of the asks shown."),
    hash: text().describe("The venue's hash of the book; empty where it gave none."),
    sequence: int().describe("Position of that event among the book's events of this millisecond."),
    micro_price: dec(6, unit).maybe(
      "(best_bid × size of the best ask + best_ask × size of the best bid) / both sizes: the middle moved toward the thinner side; null where one is missing.",
    ),
    imbalance: dec(6, "-1 to 1").maybe(
      "(bid_depth_usd − ask_depth_usd) / (bid_depth_usd + ask_depth_usd): 1 is all bids, -1 all asks; null for an empty book.",
    ),
  };
}

/** SQL for `bookFields` over the rows of a rebuilt book, limited to `depth` levels a side where given. */
export function bookSelect(depth: Bound | undefined): Record<keyof ReturnType<typeof bookFields>, Sql> {
  const cut = (side: Sql): Sql => (depth ? sql`arraySlice(${side}, -${depth})` : side);
  const [bids, asks] = [cut(sql`bid_levels`), cut(sql`ask_levels`)];
  const [bid, ask] = [best(sql`bid_levels`), best(sql`ask_levels`)];
  const [bidUsd, askUsd] = [worth(bids), worth(asks)];
  return {
    asks,
    bids,
    timestamp: sql`ts`,
    best_bid: bid,
    best_ask: ask,
    mid: sql`(${bid} + ${ask}) / 2`,
    spread: sql`${ask} - ${bid}`,
    bid_depth_usd: bidUsd,
    ask_depth_usd: askUsd,
    hash: sql`hash`,
    sequence: sql`seq`,
    micro_price: microPriceOf(sql`bid_levels`, sql`ask_levels`),
    imbalance: balance(bidUsd, askUsd),
  };
}
