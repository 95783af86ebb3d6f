import type {
  BookHappening,
  MarketCreatedHappening,
  MarketResolvedHappening,
  MatchHappening,
  OutcomeIndex,
  PolymarketEvent,
  PolymarketMarket,
  TickHappening,
} from "../../world/contract.ts";
import { REBATE_RATE_E4 } from "../../world/income-contract.ts";
import { bookMessage } from "../clob/book-message.ts";
import { decimalText, priceText, isoSeconds } from "../value-text.ts";

/** A message of the market channel. All numbers are strings, all times milliseconds as strings. */
export type Frame = Readonly<Record<string, unknown>> & { event_type: string };

/** A full book, as sent on subscribing and after a trade: like REST's, without min_order_size and neg_risk. */
export function bookFrame(market: PolymarketMarket, outcome: OutcomeIndex): Frame {
  const { min_order_size: _size, neg_risk: _negRisk, ...shown } = bookMessage(market, outcome);
  return { ...shown, event_type: "book" };
}

/**
 * Changes of one or both books of a market in one message; sizes are new totals, "0" removes a level. Must be built
 * right after the change, because the hashes cover the full current books.
 */
export function priceChangeFrame(changes: readonly BookHappening[]): Frame {
  const price_changes = changes.flatMap((change) => {
    const { hash } = bookMessage(change.market, change.outcome);
    return change.levels.map((level) => ({
      asset_id: change.token_id,
      price: priceText(level.price_e4),
      size: decimalText(level.size_micro),
      side: level.side,
      hash,
      best_bid: priceText(change.best_bid_e4 ?? 0),
      best_ask: priceText(change.best_ask_e4 ?? 10_000),
    }));
  });
  const market = changes[0]?.market.condition_id ?? "";
  return { market, price_changes, timestamp: String(changes[0]?.ms ?? 0), event_type: "price_change" };
}

/** One message per settlement, in terms of the taker's token: the level it touched, not its average price. */
export function lastTradeFrame(match: MatchHappening): Frame {
  return {
    market: match.market.condition_id,
    asset_id: match.taker.token_id,
    price: priceText(match.touched_price_e4),
    size: decimalText(match.taker.shares_micro),
    fee_rate_bps: "0",
    side: match.taker.side,
    timestamp: String(match.ms),
    event_type: "last_trade_price",
    transaction_hash: match.tx_hash,
  };
}

/** Change of a market's tick size, sent for one of its tokens. */
export function tickSizeFrame(change: TickHappening, outcome: OutcomeIndex): Frame {
  return {
    market: change.market.condition_id,
    asset_id: change.market.token_ids[outcome],
    old_tick_size: priceText(change.old_tick_e4),
    new_tick_size: priceText(change.new_tick_e4),
    timestamp: String(change.ms),
    event_type: "tick_size_change",
  };
}

/** Top of a book. A side without orders is an empty string. */
export function bestBidAskFrame(change: BookHappening): Frame {
  const { best_bid_e4: bid, best_ask_e4: ask } = change;
  return {
    market: change.market.condition_id,
    asset_id: change.token_id,
    best_bid: bid === null ? "" : priceText(bid),
    best_ask: ask === null ? "" : priceText(ask),
    spread: bid === null || ask === null ? "" : priceText(ask - bid),
    timestamp: String(change.ms),
    event_type: "best_bid_ask",
  };
}

/** A newly listed market; sent to every client with custom features. */
export function newMarketFrame({ market, ms }: MarketCreatedHappening): Frame {
  const rate = market.fee_rate_e4 / 10_000;
  return {
    id: market.id,
    question: market.question,
    market: market.condition_id,
    slug: market.slug,
    description: market.description,
    assets_ids: market.token_ids,
    outcomes: market.outcomes,
    event_message: eventMessage(market.event),
    timestamp: String(ms),
    event_type: "new_market",
    tags: market.event.tags.map((tag) => tag.slug),
    condition_id: market.condition_id,
    active: true,
    clob_token_ids: market.token_ids,
    order_price_min_tick_size: priceText(market.tick_e4),
    group_item_title: market.group_item_title,
    game_start_time: market.event_start_ms === null ? null : isoSeconds(market.event_start_ms),
    taker_base_fee: "0",
    fees_enabled: rate > 0,
    fee_schedule: { exponent: 1, rate, taker_only: true, rebate_rate: REBATE_RATE_E4 / 10_000 },
  };
}

/** A resolved market; a void one has no winner. Sent to every client with custom features. */
export function marketResolvedFrame({ market, ms, winner }: MarketResolvedHappening): Frame {
  return {
    id: market.id,
    market: market.condition_id,
    assets_ids: market.token_ids,
    winning_asset_id: winner === null ? "" : market.token_ids[winner],
    winning_outcome: winner === null ? "" : market.outcomes[winner],
    event_message: eventMessage(market.event),
    timestamp: String(ms),
    tags: market.event.tags.map((tag) => tag.slug),
    event_type: "market_resolved",
  };
}

function eventMessage({ id, slug, title, description }: PolymarketEvent): Record<string, string> {
  return { id, ticker: slug, slug, title, description };
}
