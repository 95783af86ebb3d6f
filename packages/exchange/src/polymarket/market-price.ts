import type { OutcomeIndex, PolymarketMarket } from "../world/contract.ts";

/**
 * What one share of an outcome is worth now, in USD: the payout when resolved, else the middle of the book,
 * else the last trade, else 0.5.
 */
export function marketPrice(market: PolymarketMarket, outcome: OutcomeIndex): number {
  const payout = market.payout_numerators;
  if (payout !== null) return payout[outcome] / (payout[0] + payout[1]);
  const bid = market.bestBid(outcome);
  const ask = market.bestAsk(outcome);
  if (bid !== null && ask !== null) return (bid + ask) / 20_000;
  const last = market.last_trade_price_e4;
  if (last === null) return 0.5;
  return (outcome === 0 ? last : 10_000 - last) / 10_000;
}
