import { addMicros, lessMicros } from "../../definition/micros.ts";
import { joinedSpread } from "../wallet/bought-spread.ts";
import type { Amount, FoldedDay } from "../wallet/folded-wallet.ts";
import { realOf } from "./amounts.ts";

/** Days of pnl_last_30day and win_rate_last_30day, and days for which a pattern stays valid. */
export const RECENT_DAYS = 30;

/** Requested days, since 1970, both inclusive. */
export type DaySpan = {
  /** The window's first day; for a window of all days that of the wallet. */
  readonly first: number;
  readonly last: number;
  /** Number of days. */
  readonly length: number;
};

/** A wallet's activity on some days. */
export type DaySums = {
  readonly buys: number;
  readonly sells: number;
  readonly otherEvents: number;
  readonly wins: number;
  readonly losses: number;
  readonly daysActive: number;
  readonly bought: Amount;
  readonly sold: Amount;
  readonly makerUsd: Amount;
  readonly boughtSpread: number;
  readonly fee: Amount;
  /** Realised profit less fees. */
  readonly pnl: Amount;
  readonly unmatchedUsd: Amount;
};

/** Sums over days from `since` on. */
export function sumDays(days: readonly FoldedDay[], since: number): DaySums {
  let [buys, sells, otherEvents, wins, losses, daysActive, boughtSpread] = [0, 0, 0, 0, 0, 0, 0];
  let bought: Amount = 0;
  let sold: Amount = 0;
  let makerUsd: Amount = 0;
  let fee: Amount = 0;
  let pnl: Amount = 0;
  let unmatchedUsd: Amount = 0;
  for (const day of days) {
    if (day.day < since) continue;
    boughtSpread = joinedSpread({ buys, bought, boughtSpread }, day);
    buys += day.buys;
    sells += day.sells;
    otherEvents += day.otherEvents;
    wins += day.wins;
    losses += day.losses;
    daysActive += day.buys + day.sells > 0 ? 1 : 0;
    bought = addMicros(bought, day.bought);
    sold = addMicros(sold, day.sold);
    makerUsd = addMicros(makerUsd, day.makerUsd);
    fee = addMicros(fee, day.fee);
    pnl = addMicros(pnl, lessMicros(day.realized, day.fee));
    unmatchedUsd = addMicros(unmatchedUsd, day.unmatchedUsd);
  }
  const counts = { buys, sells, otherEvents, wins, losses, daysActive, boughtSpread };
  return { ...counts, bought, sold, makerUsd, fee, pnl, unmatchedUsd };
}

/** Second of the last fill; null without one. */
export function lastFillAt(days: readonly FoldedDay[]): number | null {
  let last: number | null = null;
  for (const { lastAt } of days) if (lastAt !== undefined) last = Math.max(last ?? 0, lastAt);
  return last;
}

export type Balance = { readonly status: "unreconciled" | "estimated" | "exact"; readonly residual: number };

/**
 * Whether a wallet's books balance at the end of its last day: profit realised less fees equals payments out less
 * payments in, plus holdings at cost. Proceeds of shares that were never held are cash but no profit: they are in the
 * residual, but are no error of the books.
 */
export function balanceOf(days: readonly FoldedDay[], latest: FoldedDay): Balance {
  const { buys, sells, otherEvents, unmatchedUsd } = sumDays(days, 0);
  const profit = lessMicros(lessMicros(latest.realizedTotal, latest.feeTotal), latest.openCost);
  const residual = lessMicros(profit, latest.cashTotal);
  const isOff = Math.abs(realOf(addMicros(residual, unmatchedUsd))) > 0.01 + 0.0001 * (buys + sells + otherEvents);
  const reported = latest.isEstimated ? "estimated" : "exact";
  return { status: isOff ? "unreconciled" : reported, residual: Math.abs(realOf(residual)) };
}
