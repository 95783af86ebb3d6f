import { lessMicros } from "../../definition/add-micros.ts";
import type { FoldedEnd, FoldedTokenDay, FoldedWallet } from "../wallet/folded-wallet.ts";
import { storedCondition } from "./tokens.ts";
import { sumOf, type PnlDay } from "./pnl-buckets.ts";

export type MarketDaysAsked = {
  /** 0x-hex; zeros are the tokens whose market is not known. */
  readonly conditions: ReadonlySet<string>;
  /** First seconds of days, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly isFifo: boolean;
};

const DAY = 86_400;

/** Days on which a wallet did something in some markets, or a position in them ended, the earliest first. */
export function marketDays(
  { tokenDays, ended }: Pick<FoldedWallet, "tokenDays" | "ended">,
  { conditions, from, to, isFifo }: MarketDaysAsked,
): PnlDay[] {
  const days = new Map<number, PnlDay>();
  const add = (day: PnlDay): void => {
    if (day.date < from || day.date > to) return;
    const before = days.get(day.date);
    days.set(day.date, before === undefined ? day : sumOf(before, day));
  };
  for (const each of tokenDays) if (conditions.has(storedCondition(each))) add(ofToken(each, isFifo));
  for (const each of ended) if (conditions.has(each.condition)) add(ofEnd(each));
  return [...days.values()].toSorted((a, b) => a.date - b.date);
}

const ofToken = (each: FoldedTokenDay, isFifo: boolean): PnlDay => ({
  date: each.day * DAY,
  invested: each.bought,
  pnl: lessMicros(isFifo ? each.realizedFifo : each.realized, each.fee),
  fee: each.fee,
  fills: each.buys + each.sells,
  wins: 0,
  losses: 0,
});

const ofEnd = ({ day, wins, losses }: FoldedEnd): PnlDay => ({
  date: day * DAY,
  invested: 0,
  pnl: 0,
  fee: 0,
  fills: 0,
  wins,
  losses,
});
