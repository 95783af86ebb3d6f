import { createHash } from "node:crypto";
import type { Level } from "./book-side.ts";

/** The market fields that go into its book's hash besides the levels, as the texts the venue uses. */
export type HashParts = {
  readonly market: string;
  readonly asset_id: string;
  readonly min_order_size: string;
  readonly tick_size: string;
  readonly neg_risk: boolean;
  readonly last_trade_price: string;
};

/**
 * The venue's hash of a book: SHA-1 over the JSON of its REST form with an empty hash, bids and asks in its order (bids
 * rising, asks falling). Not documented; it holds for the 4 books and 4 changes of the recorded frames
 * (ws_market/fleet_ws_messages_market_only.log), with the timestamp of the message.
 */
export function bookHash(parts: HashParts, timestamp: number, bids: readonly Level[], asks: readonly Level[]): string {
  const form = {
    market: parts.market,
    asset_id: parts.asset_id,
    timestamp: String(timestamp),
    hash: "",
    bids: bids.map(plain),
    asks: asks.map(plain),
    min_order_size: parts.min_order_size,
    tick_size: parts.tick_size,
    neg_risk: parts.neg_risk,
    last_trade_price: parts.last_trade_price,
  };
  return createHash("sha1").update(JSON.stringify(form)).digest("hex");
}

/** Only the hashed fields, in the order they are written. */
function plain({ price, size }: Level): Level {
  return { price, size };
}
