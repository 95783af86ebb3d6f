import type { RowWriter } from "../../definition/row-writer.ts";
import type { TokenDay } from "./day-sums.ts";
import type { Held } from "./held-tokens.ts";
import type { WalletState } from "./wallet-state.ts";

/** A row of wallet_days, column by column in its order; the day in days since 1970. */
export function writeWalletDay(row: RowWriter, wallet: Buffer, day: number, state: WalletState, held: Held): void {
  const sums = state.today.size === 0 ? NOTHING : sumOf(state.today.values());
  let [wins, losses] = [0, 0];
  for (const ended of state.ended.values()) {
    wins += ended.wins;
    losses += ended.losses;
  }
  const isQuiet = sums.buys + sums.sells === 0;
  row.begin();
  row.bytes(wallet);
  row.day(day);
  if (!row.isNull(isQuiet)) row.count(sums.firstAt);
  if (!row.isNull(isQuiet)) row.count(sums.lastAt);
  row.count(sums.buys);
  row.count(sums.sells);
  row.count(sums.makerFills);
  row.count(sums.otherEvents);
  row.count(wins);
  row.count(losses);
  row.micro(sums.bought);
  row.micro(sums.sold);
  row.micro(sums.makerUsd);
  row.real(sums.boughtSquared);
  row.micro(sums.fee);
  row.micro(sums.realized);
  row.micro(sums.realizedFifo);
  row.micro(sums.cash);
  row.micro(sums.unmatchedUsd);
  row.micro(state.cashTotal);
  row.micro(state.realizedTotal);
  row.micro(state.feeTotal);
  row.micro(held.cost);
  row.micro(held.value);
  row.count(held.tokens);
  row.count(held.unmarked);
  row.flag(state.isEstimated);
  row.flag(false);
}

function sumOf(days: Iterable<TokenDay>) {
  const sums = {
    firstAt: Number.POSITIVE_INFINITY,
    lastAt: 0,
    buys: 0,
    sells: 0,
    makerFills: 0,
    otherEvents: 0,
    bought: 0n,
    sold: 0n,
    makerUsd: 0n,
    boughtSquared: 0,
    fee: 0n,
    realized: 0n,
    realizedFifo: 0n,
    cash: 0n,
    unmatchedUsd: 0n,
  };
  for (const day of days) {
    if (day.buys + day.sells > 0) {
      sums.firstAt = Math.min(sums.firstAt, day.firstFillAt);
      sums.lastAt = Math.max(sums.lastAt, day.lastFillAt);
    }
    sums.buys += day.buys;
    sums.sells += day.sells;
    sums.makerFills += day.makerFills;
    sums.otherEvents += day.otherEvents;
    sums.bought += day.bought;
    sums.sold += day.sold;
    sums.makerUsd += day.makerUsd;
    sums.boughtSquared += day.boughtSquared;
    sums.fee += day.fee;
    sums.realized += day.realized;
    sums.realizedFifo += day.realizedFifo;
    sums.cash += day.cash;
    sums.unmatchedUsd += day.unmatchedUsd;
  }
  return sums;
}

const NOTHING = sumOf([]);
