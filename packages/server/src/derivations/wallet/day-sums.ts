import type { Amount } from "./folded-wallet.ts";
import type { Holding } from "./holding.ts";

/** A position (wallet × condition) that is open: profit since it was opened. */
export type OpenPosition = { pnl: Amount };

/** A condition of which a wallet had tokens; a token whose market is not known is a market of its own. */
export type Market = { readonly holdings: Holding[]; open: OpenPosition | undefined };

/**
 * What one day did with one token of a wallet; integers of 1e-6. One that is told of is begun again for another token and
 * day. Its fields are declared and set by `begin` alone, for the machine to keep them as plain doubles.
 */
export class TokenDay {
  declare holding: Holding;
  declare market: Market;
  declare firstAt: number;
  declare lastAt: number;
  /** Of fills alone. */
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
  declare boughtSquared: number;
  declare fee: Amount;
  declare sharesIn: Amount;
  declare sharesOut: Amount;
  declare unmatchedUsd: Amount;
  declare realized: Amount;
  declare realizedFifo: Amount;
  declare cash: Amount;
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
    this.boughtSquared = 0;
    this.fee = 0;
    this.sharesIn = 0;
    this.sharesOut = 0;
    this.unmatchedUsd = 0;
    this.realized = 0;
    this.realizedFifo = 0;
    this.cash = 0;
    this.isEstimated = false;
  }
}

/** Positions of one condition that ended on a day. */
export type Ended = {
  wins: number;
  losses: number;
  pnl: Amount;
  /** Profit of those won alone. */
  gained: Amount;
};
