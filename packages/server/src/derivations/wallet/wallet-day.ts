import { addMicros } from "../../definition/micros.ts";
import { joinedSpread } from "./bought-spread.ts";
import type { FoldedDay } from "./folded-wallet.ts";
import type { Held } from "./held-tokens.ts";
import type { WalletState } from "./wallet-state.ts";

type Sums = { -readonly [Name in keyof FoldedDay]: FoldedDay[Name] };

/** A wallet's day that ends: the sums of its tokens, ended positions, totals, and holdings. */
export function walletDay(day: number, state: WalletState, held: Held): FoldedDay {
  const sums = nothingOn(day, state, held);
  for (const ended of state.ended.values()) {
    sums.wins += ended.wins;
    sums.losses += ended.losses;
  }
  for (const token of state.today) {
    if (token.buys + token.sells > 0) {
      sums.firstAt = Math.min(sums.firstAt ?? token.firstFillAt, token.firstFillAt);
      sums.lastAt = Math.max(sums.lastAt ?? token.lastFillAt, token.lastFillAt);
    }
    sums.boughtSpread = joinedSpread(sums, token);
    sums.buys += token.buys;
    sums.sells += token.sells;
    sums.makerFills += token.makerFills;
    sums.otherEvents += token.otherEvents;
    sums.bought = addMicros(sums.bought, token.bought);
    sums.sold = addMicros(sums.sold, token.sold);
    sums.makerUsd = addMicros(sums.makerUsd, token.makerUsd);
    sums.fee = addMicros(sums.fee, token.fee);
    sums.realized = addMicros(sums.realized, token.realized);
    sums.realizedFifo = addMicros(sums.realizedFifo, token.realizedFifo);
    sums.cash = addMicros(sums.cash, token.cash);
    sums.unmatchedUsd = addMicros(sums.unmatchedUsd, token.unmatchedUsd);
  }
  return sums;
}

function nothingOn(day: number, state: WalletState, held: Held): Sums {
  return {
    day,
    firstAt: undefined,
    lastAt: undefined,
    buys: 0,
    sells: 0,
    makerFills: 0,
    otherEvents: 0,
    wins: 0,
    losses: 0,
    bought: 0,
    sold: 0,
    makerUsd: 0,
    boughtSpread: 0,
    fee: 0,
    realized: 0,
    realizedFifo: 0,
    cash: 0,
    unmatchedUsd: 0,
    cashTotal: state.cashTotal,
    realizedTotal: state.realizedTotal,
    feeTotal: state.feeTotal,
    openCost: held.cost,
    openValue: held.value,
    isEstimated: state.isEstimated,
  };
}
