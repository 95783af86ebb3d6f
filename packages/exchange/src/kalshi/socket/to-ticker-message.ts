import type { KalshiMarket } from "../../world/kalshi-contract.ts";
import { toCount } from "../reply/to-count.ts";
import { toDollars } from "../reply/to-dollars.ts";
import { toTime } from "../reply/to-time.ts";

/** Body of `ticker` at the moment `ms`. The dollar figures are whole and half the contracts, as in Kalshi's own example. */
export function toTickerMessage(market: KalshiMarket, ms: number) {
  const book = market.book();
  const yes = book.yes.at(-1);
  const no = book.no.at(-1);
  return {
    market_ticker: market.ticker,
    market_id: market.market_id,
    price_dollars: toDollars(market.last_price_e4 ?? 0),
    yes_bid_dollars: toDollars(yes?.price_e4 ?? 0),
    yes_ask_dollars: toDollars(10_000 - (no?.price_e4 ?? 0)),
    yes_bid_size_fp: toCount(yes?.size_cc ?? 0),
    yes_ask_size_fp: toCount(no?.size_cc ?? 0),
    last_trade_size_fp: toCount(market.trades().at(-1)?.count_cc ?? 0),
    volume_fp: toCount(market.volume_cc),
    open_interest_fp: toCount(market.open_interest_cc),
    dollar_volume: Math.floor(market.volume_cc / 200),
    dollar_open_interest: Math.floor(market.open_interest_cc / 200),
    ts: Math.floor(ms / 1000),
    ts_ms: ms,
    time: toTime(ms),
  };
}
