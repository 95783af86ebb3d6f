import type { KalshiMarket, KalshiTrade } from "../../packages/exchange/src/world/kalshi-contract.ts";
import { sameMoment, type Row } from "./tally.ts";

export function expectedTrade(trade: KalshiTrade): Row {
  const paid = trade.taker_side === "yes" ? trade.yes_price_e4 : 10_000 - trade.yes_price_e4;
  return {
    trade_id: trade.trade_id,
    ticker: trade.market.ticker,
    // The door prints the sequence number below the millisecond.
    created_time: new Date(trade.ms).toISOString().replace("Z", `${String(trade.seq % 1000).padStart(3, "0")}Z`),
    count: trade.count_cc / 100,
    yes_price: trade.yes_price_e4 / 100,
    no_price: (10_000 - trade.yes_price_e4) / 100,
    taker_side: trade.taker_side,
    usd: (trade.count_cc * paid) / 1e6,
    is_block_trade: trade.is_block_trade,
  };
}

/** What does not change while a market trades, and how it ended. */
export function expectedKalshiMarket(market: KalshiMarket): Row {
  return {
    ticker: market.ticker,
    event_ticker: market.event.event_ticker,
    title: (got: unknown) => (String(got).includes(market.title) ? undefined : `a title with ${market.title}`),
    status: market.status,
    result: market.result === "" ? null : market.result,
    open_time: sameMoment(market.open_ms),
    close_time: sameMoment(market.close_ms),
    expiration_time: sameMoment(market.latest_expiration_ms),
    created_time: sameMoment(market.created_ms),
    settlement_value: market.settlement_value_e4 === null ? null : market.settlement_value_e4 / 10_000,
    category: market.event.series.category,
  };
}

/** The figures of this moment; exact while the world stands still. */
export function kalshiFigures(market: KalshiMarket): Row {
  const { yes, no } = market.book();
  const [bid, other] = [yes.at(-1), no.at(-1)];
  return {
    last_price: market.last_price_e4 === null ? null : market.last_price_e4 / 100,
    volume: market.volume_cc / 100,
    volume_24h: market.volume_24h_cc() / 100,
    open_interest: market.open_interest_cc / 100,
    yes_bid: bid === undefined ? null : bid.price_e4 / 100,
    yes_ask: other === undefined ? null : (10_000 - other.price_e4) / 100,
  };
}
