import { z } from "zod";
import { listOf, jsonIn } from "../../../definition/upstream-bounds.ts";
import { conditionWire, maybeWire, tokenWire, TOO_LARGE } from "../exact/wires.ts";
import type { ReplayedPage, TableRows } from "../../../definition/connector.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { polymarketPrints } from "../../../tables/polymarket-prints.ts";
import { PrintRows } from "./book-rows.ts";

/** Decimals are strings on this socket; the text is kept, because the book's hash is computed over it. */
const decimal = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,18})?$/, "a decimal string")
  .refine((text) => Number(text) < TOO_LARGE, "more than twelve digits before the point");
const millis = z
  .string()
  .regex(/^\d{13}$/, "milliseconds as a string")
  .transform(Number);
const side = z
  .string()
  .transform((text) => text.toUpperCase())
  .pipe(z.enum(["BUY", "SELL"]));
const levels = listOf(z.object({ price: decimal, size: decimal }), 20_000);

/** A full book: the socket's `book` message and, without `event_type`, REST `/book`. */
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
  changes: listOf(z.object({ price: decimal, size: decimal, side }), 20_000),
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

/** More than any market has. */
const MAX_OUTCOMES = 1000;
const listed = z.object({
  condition_id: maybeWire(conditionWire),
  market: maybeWire(conditionWire),
  slug: maybeWire(z.string()),
  assets_ids: maybeWire(listOf(tokenWire, MAX_OUTCOMES)),
  outcomes: maybeWire(listOf(z.string(), MAX_OUTCOMES)),
});

/**
 * The market websocket's messages. Our own schema: @polymarket/bindings accepts any text as a decimal and does not know
 * the flat change. Messages of a kind not listed here are skipped without an error.
 */
export const marketMessageWire = {
  book: bookWire,
  price_change: z.union([
    z.object({ market: conditionWire, timestamp: millis, price_changes: listOf(change, 20_000) }),
    flatChange,
  ]),
  last_trade_price: print,
  tick_size_change: tick,
  new_market: listed,
} as const;

export type BookMessage = z.output<typeof bookWire>;
export type PriceChange = z.output<(typeof marketMessageWire)["price_change"]>;
type Tick = z.output<typeof tick>;
export type Print = z.output<typeof print>;
export type Listed = z.output<typeof listed>;

export type MarketMessage =
  | { readonly kind: "book"; readonly message: BookMessage }
  | { readonly kind: "price_change"; readonly message: PriceChange }
  | { readonly kind: "last_trade_price"; readonly message: Print }
  | { readonly kind: "tick_size_change"; readonly message: Tick }
  | { readonly kind: "new_market"; readonly message: Listed };

const MAX_MESSAGES = 2000;
const messagesWire = listOf(z.looseObject({ event_type: z.string() }), MAX_MESSAGES);

const frameWire = jsonIn("Expected a JSON frame");

/**
 * The messages of one frame: an object, or an array of them (the initial dump). PONG and the empty frame contain none.
 * best_bid_ask, market_resolved and unknown kinds are skipped. Throws ZodError for a wrong shape.
 */
export function readFrame(frame: string): readonly MarketMessage[] {
  const text = frame.trim();
  if (text === "" || text === "PONG" || text === "PING") return [];
  const parsed = frameWire.parse(text);
  const list = messagesWire.parse(Array.isArray(parsed) ? parsed : [parsed]);
  return list.flatMap((item) => {
    const read = readMessage(item.event_type, item);
    return read === undefined ? [] : [read];
  });
}

function readMessage(kind: string, message: unknown): MarketMessage | undefined {
  switch (kind) {
    case "book":
      return { kind, message: marketMessageWire.book.parse(message) };
    case "price_change":
      return { kind, message: marketMessageWire.price_change.parse(message) };
    case "last_trade_price":
      return { kind, message: marketMessageWire.last_trade_price.parse(message) };
    case "tick_size_change":
      return { kind, message: marketMessageWire.tick_size_change.parse(message) };
    case "new_market":
      return { kind, message: marketMessageWire.new_market.parse(message) };
    default:
      return undefined;
  }
}

/** The tape of a parked frame. Throws for one with book messages: their changes depend on the book at that time. */
export function replayFrame({ read }: ReplayedPage): TableRows[] {
  const prints = new PrintRows();
  const rows = readFrame(JSON.stringify(read(z.unknown()))).flatMap(({ kind, message }): InsertRow[] => {
    if (kind === "new_market") return [];
    if (kind === "last_trade_price") return [prints.toRow(message) ?? []].flat();
    throw new Error("readable now, but one frame is not enough to derive a book's changes");
  });
  return [{ table: polymarketPrints, rows }];
}
