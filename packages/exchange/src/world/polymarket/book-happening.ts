import type { BookHappening, LevelChange, OutcomeIndex } from "../contract.ts";
import type { MarketView } from "./market-view.ts";

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
