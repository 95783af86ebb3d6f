import { createHash } from "node:crypto";
import type { BookLevel, OutcomeIndex, PolymarketMarket } from "../../world/contract.ts";
import { decimalText, priceText } from "../value-text.ts";
import type { World } from "../../world/world.ts";

/** A price level as sent to clients. */
interface WireLevel {
  price: string;
  size: string;
}

/** A complete book as `GET /book` returns it. Bids ascend, asks descend: the best of each is last. */
export interface BookMessage {
  market: string;
  asset_id: string;
  timestamp: string;
  hash: string;
  bids: WireLevel[];
  asks: WireLevel[];
  min_order_size: string;
  tick_size: string;
  neg_risk: boolean;
  /** The market's last trade price, in terms of the token then traded; the same text for both tokens. */
  last_trade_price: string;
}

/** Returns the current book of one outcome. */
export function bookMessage(market: PolymarketMarket, outcome: OutcomeIndex): BookMessage {
  const book = market.book(outcome);
  const last = market.matches().at(-1)?.touched_price_e4;
  const message = {
    market: market.condition_id,
    asset_id: market.token_ids[outcome],
    timestamp: String(book.timestamp_ms),
    hash: "",
    bids: book.bids.map(wireLevel),
    asks: book.asks.map(wireLevel).toReversed(),
    min_order_size: decimalText(market.min_size_micro),
    tick_size: priceText(market.tick_e4),
    neg_risk: market.neg_risk,
    last_trade_price: last === undefined ? "" : priceText(last),
  };
  message.hash = bookHash(message);
  return message;
}

/**
 * The venue's hash of a book: SHA-1 of the JSON of its REST form with an empty hash. Undocumented, but it reproduces
 * the hashes of all books and changes in the recorded ws_market/fleet_ws_messages_market_only.log.
 */
export function bookHash(message: BookMessage): string {
  const { market, asset_id, timestamp, bids, asks, min_order_size, tick_size, neg_risk, last_trade_price } = message;
  const form = {
    market,
    asset_id,
    timestamp,
    hash: "",
    bids,
    asks,
    min_order_size,
    tick_size,
    neg_risk,
    last_trade_price,
  };
  return createHash("sha1").update(JSON.stringify(form)).digest("hex");
}

function wireLevel(level: BookLevel): WireLevel {
  return { price: priceText(level.price_e4), size: decimalText(level.size_micro) };
}

/** A token: its market and which of the outcomes it is. */
interface Token {
  market: PolymarketMarket;
  outcome: OutcomeIndex;
}

/**
 * Returns the token if its book can be requested: a closed market has none. A condition id, slug or Gamma id is not
 * accepted.
 */
export function findOpenToken(world: World, tokenId: string): Token | undefined {
  const market = world.polymarket.market(tokenId);
  if (market === undefined || market.closed) return undefined;
  const outcome = market.token_ids.indexOf(tokenId);
  return outcome === 0 || outcome === 1 ? { market, outcome } : undefined;
}
