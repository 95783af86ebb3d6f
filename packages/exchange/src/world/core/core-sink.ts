import type { CoreMarket } from "./core-market.ts";
import type { Order } from "./ladder.ts";

/**
 * A match as reported by the core; the object is reused, so copy what you keep. Sizes in centi-shares, USD in micro.
 */
export interface CoreMatch {
  at: number;
  taker: Order;
  shares: number;
  usd: number;
  fee: number;
  /** The first `count` entries are the makers, in matching order. */
  count: number;
  makers: Order[];
  sizes: number[];
}

/** Receives everything that the core does. Implemented by the world's happenings and by the generator's columns. */
export interface CoreSink {
  match(market: CoreMarket, match: CoreMatch): void;
  /**
   * Changed levels of the YES ladder: a bid by its price, an ask by minus its price. Read their totals from the market.
   */
  book(market: CoreMarket, at: number, levels: readonly number[], byTrade: boolean): void;
  tick(market: CoreMarket, at: number, before: number): void;
  created(market: CoreMarket, at: number): void;
  closed(market: CoreMarket, at: number): void;
  disputed(market: CoreMarket, at: number): void;
  resolved(market: CoreMarket, at: number, payout: [number, number]): void;
  split(market: CoreMarket, at: number, wallet: number, size: number): void;
  merge(market: CoreMarket, at: number, wallet: number, size: number): void;
  convert(markets: CoreMarket[], at: number, wallet: number, given: boolean[], size: number): void;
  redeem(market: CoreMarket, at: number, wallet: number, yes: number, no: number, payout: number): void;
  /** Shares of one wallet sent to another. */
  transfer(market: CoreMarket, at: number, from: number, to: number, yes: number, no: number): void;
  jump(market: CoreMarket, at: number, before: number, after: number): void;
  /** Called last: no further call concerns this market. */
  done(market: CoreMarket): void;
}
