import type { Holding } from "./holding.ts";

/** What one day did with one token of a wallet; integers of 1e-6. */
export type TokenDay = {
  readonly holding: Holding;
  firstAt: number;
  lastAt: number;
  /** Of fills alone. */
  firstFillAt: number;
  lastFillAt: number;
  buys: number;
  sells: number;
  makerFills: number;
  otherEvents: number;
  sharesBought: bigint;
  bought: bigint;
  sharesSold: bigint;
  sold: bigint;
  makerUsd: bigint;
  boughtSquared: number;
  fee: bigint;
  split: bigint;
  merged: bigint;
  redeemed: bigint;
  converted: bigint;
  sharesIn: bigint;
  sharesOut: bigint;
  unmatched: bigint;
  unmatchedUsd: bigint;
  realized: bigint;
  realizedFifo: bigint;
  cash: bigint;
};

export function emptyTokenDay(holding: Holding, at: number): TokenDay {
  return {
    holding,
    firstAt: at,
    lastAt: at,
    firstFillAt: at,
    lastFillAt: at,
    buys: 0,
    sells: 0,
    makerFills: 0,
    otherEvents: 0,
    sharesBought: 0n,
    bought: 0n,
    sharesSold: 0n,
    sold: 0n,
    makerUsd: 0n,
    boughtSquared: 0,
    fee: 0n,
    split: 0n,
    merged: 0n,
    redeemed: 0n,
    converted: 0n,
    sharesIn: 0n,
    sharesOut: 0n,
    unmatched: 0n,
    unmatchedUsd: 0n,
    realized: 0n,
    realizedFifo: 0n,
    cash: 0n,
  };
}

/** Positions of one condition that ended on a day. */
export type Ended = {
  openedAt: number;
  endedAt: number;
  wins: number;
  losses: number;
  evens: number;
  resolved: number;
  pnl: bigint;
  /** Profit of those won alone. */
  gained: bigint;
  bought: bigint;
};

/** A position (wallet × condition) that is open: profit and money since it was opened. */
export type OpenPosition = { readonly openedAt: number; pnl: bigint; bought: bigint };
