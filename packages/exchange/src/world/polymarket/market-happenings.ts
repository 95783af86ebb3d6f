import type { BookHappening, LevelChange, OutcomeIndex, FillLeg, MatchHappening, MatchKind } from "../contract.ts";
import type { MarketView } from "./market-view.ts";
import { isSameOutcome } from "../core/core-market.ts";
import type { CoreMatch } from "../core/core-sink.ts";
import type { SinkParts } from "./happening-sink.ts";
import type { Order } from "../core/ladder.ts";
import { NO_PLACE, settle } from "../chain/chain-drafts.ts";
import { HASH_KIND, mixHex } from "../core/mix-hash.ts";

/** A change of the YES ladder as seen in one token's book. `levels`: a bid by its price, an ask by minus its price. */
export function bookHappening(
  market: MarketView,
  outcome: OutcomeIndex,
  at: number,
  levels: readonly number[],
  byTrade: boolean,
  seq: number,
): BookHappening {
  const changes = levels.map((code): LevelChange => {
    const bid = code > 0;
    const price = Math.abs(code);
    const level = (bid ? market.core.bids : market.core.asks).find(price);
    return {
      price_e4: outcome === 0 ? price : 10_000 - price,
      side: bid === (outcome === 0) ? "BUY" : "SELL",
      size_micro: (level?.total ?? 0) * 10_000,
    };
  });
  return {
    kind: "book",
    seq,
    ms: at,
    market,
    outcome,
    token_id: market.token_ids[outcome],
    levels: changes,
    best_bid_e4: market.bestBid(outcome),
    best_ask_e4: market.bestAsk(outcome),
    hash: market.hash(outcome),
    by_trade: byTrade,
  };
}

function kindOf(taker: Order, maker: Order): MatchKind {
  if (isSameOutcome(taker, maker)) return "complementary";
  return taker.buy ? "mint" : "merge";
}

function own(order: Order, yes: number): number {
  return order.outcome === 0 ? yes : 10_000 - yes;
}

/** Converts a match of the core into a happening, with its chain position. */
export function toMatch(parts: SinkParts, market: MarketView, match: CoreMatch): MatchHappening {
  const { state, chain, seed, v2From } = parts;
  const { taker } = match;
  const kinds = match.makers.slice(0, match.count).map((maker) => kindOf(taker, maker));
  const leg = (order: Order, role: FillLeg["role"], shares: number, usd: number, price: number): FillLeg => ({
    order_hash: mixHex(seed, HASH_KIND.order, order.id),
    wallet: state.wallets[order.owner]?.address ?? "0x",
    outcome: order.outcome,
    token_id: market.token_ids[order.outcome],
    side: order.buy ? "BUY" : "SELL",
    price_e4: price,
    shares_micro: shares * 10_000,
    usd_micro: usd,
    fee_micro: 0,
    log_index: 0,
    role,
    kind: "complementary",
  });
  const makers = kinds.map((kind, i) => {
    const maker = match.makers[i] as Order;
    const size = match.sizes[i] as number;
    const price = own(maker, maker.yes);
    return { ...leg(maker, "maker", size, price * size, price), kind };
  });
  const average = Math.floor(match.usd / match.shares);
  const kind = kinds[0] ?? "complementary";
  return settle(chain, {
    kind: "match",
    seq: state.bus.next(),
    ms: match.at,
    exchange_version: match.at < v2From ? "V1" : "V2",
    market,
    taker: { ...leg(taker, "taker", match.shares, match.usd, average), fee_micro: match.fee, kind },
    makers,
    touched_price_e4: own(taker, market.core.last ?? 0),
    ...NO_PLACE,
  });
}
