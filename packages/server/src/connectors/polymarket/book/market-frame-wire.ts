import { z } from "zod";
import { conditionWire } from "../exact/condition-wire.ts";
import { maybeWire } from "../exact/maybe-wire.ts";
import { tokenWire } from "../exact/token-wire.ts";

/** Decimals are strings on this socket; the text is kept, since the book's hash is over it. */
const decimal = z.string().regex(/^\d{1,15}(\.\d{1,18})?$/, "a decimal string");
const millis = z
  .string()
  .regex(/^\d{13}$/, "milliseconds as a string")
  .transform(Number);
const side = z
  .string()
  .transform((text) => text.toUpperCase())
  .pipe(z.enum(["BUY", "SELL"]));
const levels = z.array(z.object({ price: decimal, size: decimal })).max(20_000);

/** A whole book: the socket's `book` message and, without `event_type`, REST `/book`. */
export const bookWire = z.object({
  market: conditionWire,
  asset_id: tokenWire,
  timestamp: millis,
  hash: maybeWire(z.string()),
  bids: levels,
  asks: levels,
  min_order_size: maybeWire(z.string()),
  tick_size: maybeWire(z.string()),
  neg_risk: maybeWire(z.boolean()),
  last_trade_price: maybeWire(z.string()),
});

const change = z.object({
  asset_id: tokenWire,
  price: decimal,
  size: decimal,
  side,
  hash: maybeWire(z.string()),
  best_bid: maybeWire(decimal),
  best_ask: maybeWire(decimal),
});

/** Before September 2025 a change named one token and listed its levels. */
const flatChange = z.object({
  asset_id: tokenWire,
  market: conditionWire,
  timestamp: millis,
  hash: maybeWire(z.string()),
  changes: z.array(z.object({ price: decimal, size: decimal, side })).max(20_000),
});

const print = z.object({
  market: conditionWire,
  asset_id: tokenWire,
  price: decimal,
  size: maybeWire(decimal),
  side,
  timestamp: millis,
  transaction_hash: maybeWire(z.string()),
});

const tick = z.object({
  market: conditionWire,
  asset_id: tokenWire,
  old_tick_size: maybeWire(decimal),
  new_tick_size: decimal,
  timestamp: millis,
});

const listed = z.object({
  condition_id: maybeWire(conditionWire),
  market: maybeWire(conditionWire),
  slug: maybeWire(z.string()),
  assets_ids: maybeWire(z.array(tokenWire)),
  outcomes: maybeWire(z.array(z.string())),
});

/**
 * The market websocket's messages. Our own schema: @polymarket/bindings takes any text for a decimal and does not know
 * the flat change. Messages of a kind that is not listed here are no error: they are passed over.
 */
export const marketMessageWire = {
  book: bookWire,
  price_change: z.union([
    z.object({ market: conditionWire, timestamp: millis, price_changes: z.array(change).max(20_000) }),
    flatChange,
  ]),
  last_trade_price: print,
  tick_size_change: tick,
  new_market: listed,
} as const;

export type BookMessage = z.output<typeof bookWire>;
export type PriceChange = z.output<(typeof marketMessageWire)["price_change"]>;
export type Tick = z.output<typeof tick>;
export type Print = z.output<typeof print>;
export type Listed = z.output<typeof listed>;
