import type { Amount } from "./folded-wallet.ts";
import type { Holding } from "./holding.ts";

/** A position (wallet × condition) that is open: profit since it was opened. */
export type OpenPosition = { pnl: Amount };

/** A condition whose tokens a wallet had; a token whose market is unknown is a market of its own. */
export type Market = { readonly holdings: Holding[]; open: OpenPosition | undefined };

/**
 * One day's activity in one token of a wallet; integers of 1e-6. After it is reported it is reused for another token
 * and day. Its fields are declared and set only by `begin`, so that the engine keeps them as plain doubles.
 */
export class TokenDay {
  declare holding: Holding;
  declare market: Market;
  declare firstAt: number;
  declare lastAt: number;
  /** First fill, Unix seconds; other events do not count. */
  declare firstFillAt: number;
  declare lastFillAt: number;
  declare buys: number;
  declare sells: number;
  declare makerFills: number;
  declare otherEvents: number;
  declare sharesBought: Amount;
  declare bought: Amount;
  declare sharesSold: Amount;
  declare sold: Amount;
  declare makerUsd: Amount;
  declare boughtSpread: number;
  declare fee: Amount;
  declare sharesIn: Amount;
  declare sharesOut: Amount;
  declare unmatchedUsd: Amount;
  declare realized: Amount;
  declare realizedFifo: Amount;
  declare cash: Amount;
  /** Shares were held when their condition was resolved on that day. */
  declare isSettled: boolean;
  /** See WalletState.estimate. */
  declare isEstimated: boolean;

  constructor(holding: Holding, market: Market, at: number) {
    this.begin(holding, market, at);
  }

  begin(holding: Holding, market: Market, at: number): void {
    this.holding = holding;
    this.market = market;
    this.firstAt = at;
    this.lastAt = at;
    this.firstFillAt = at;
    this.lastFillAt = at;
    this.buys = 0;
    this.sells = 0;
    this.makerFills = 0;
    this.otherEvents = 0;
    this.sharesBought = 0;
    this.bought = 0;
    this.sharesSold = 0;
    this.sold = 0;
    this.makerUsd = 0;
    this.boughtSpread = 0;
    this.fee = 0;
    this.sharesIn = 0;
    this.sharesOut = 0;
    this.unmatchedUsd = 0;
    this.realized = 0;
    this.realizedFifo = 0;
    this.cash = 0;
    this.isSettled = false;
    this.isEstimated = false;
  }
}

/** Positions of one condition that ended on a day. */
export type Ended = {
  wins: number;
  losses: number;
  pnl: Amount;
  /** Profit of the won positions only. */
  gained: Amount;
};
