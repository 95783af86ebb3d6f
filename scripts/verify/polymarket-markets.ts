import type { PolymarketMarket } from "../../packages/exchange/src/world/contract.ts";
import { near, sameTimestamp, type Allowed, type Row } from "./tally.ts";

const CERTAIN = 0.99;

const wholeSecond = (ms: number): number => Math.floor(ms / 1000) * 1000;

/** Fields that do not change while a market trades, and its result. */
export function expectedMarket(market: PolymarketMarket): Row {
  const { payout_numerators: payout, outcomes, token_ids, event } = market;
  const isDecided = payout !== null && payout[0] !== payout[1];
  const ended = market.resolved_ms ?? market.closed_ms;
  return {
    condition_id: market.condition_id,
    question: market.question,
    slug: market.slug,
    event_slug: event.slug,
    start_date: sameTimestamp(market.start_ms),
    end_date: sameTimestamp(wholeSecond(market.end_ms)),
    closed: market.closed,
    closed_date: sameTimestamp(ended === null ? null : wholeSecond(ended)),
    side_a_outcome: outcomes[0],
    side_b_outcome: outcomes[1],
    side_a_token_id: token_ids[0],
    side_b_token_id: token_ids[1],
    winning_outcome: isDecided ? (payout[0] > payout[1] ? outcomes[0] : outcomes[1]) : undecided(market),
    category: (got: unknown) => (got === "" && event.tags.length > 0 ? "a category" : undefined),
    tags: sameLabels(event.tags.map(({ label }) => label)),
    neg_risk: market.neg_risk,
    resolution_source: market.resolution_source,
  };
}

/** Between its end and the oracle's answer, a market with a near-certain price may be reported as won. */
function undecided(market: PolymarketMarket): Allowed | null {
  if (!market.closed || market.payout_numerators !== null) return null;
  const price = priceOf(market);
  const certain = price > CERTAIN ? market.outcomes[0] : price < 1 - CERTAIN ? market.outcomes[1] : null;
  return (got) => (got === null || got === certain ? undefined : `null or ${certain}`);
}

/** The current figures; exact while the world is paused. */
export function marketFigures(market: PolymarketMarket): Row {
  const price = priceOf(market);
  return {
    volume_total: market.volume_micro / 1e6,
    volume_24h: market.volume_24h_micro() / 1e6,
    liquidity: market.closed ? 0 : market.liquidity_micro() / 1e6,
    side_a_price: near(price, 5.1e-7),
    side_b_price: near(1 - price, 5.1e-7),
  };
}

/** Value of one share of the first outcome: its payout, the middle of the book, the last trade, or one half. */
function priceOf(market: PolymarketMarket): number {
  const { payout_numerators: payout } = market;
  if (payout !== null) return payout[0] / (payout[0] + payout[1]);
  const { bids, asks } = market.book(0);
  const [bid, ask] = [bids.at(-1), asks[0]];
  if (bid !== undefined && ask !== undefined) return (bid.price_e4 + ask.price_e4) / 20_000;
  return (market.last_trade_price_e4 ?? 5000) / 10_000;
}

function sameLabels(labels: readonly string[]): (got: unknown) => string | undefined {
  return (got) => {
    const found = Array.isArray(got) ? got.map(String).toSorted() : [];
    return JSON.stringify(found) === JSON.stringify(labels.toSorted()) ? undefined : JSON.stringify(labels);
  };
}
