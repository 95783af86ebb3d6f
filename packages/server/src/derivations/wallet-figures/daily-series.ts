import { addMicros, lessMicros } from "../../definition/add-micros.ts";
import type { FoldedDay } from "../wallet/folded-wallet.ts";
import { realOf } from "./amounts.ts";

/** A day as statistics take it. */
export type DailyProfit = {
  readonly day: number;
  /** Marked to market. */
  readonly profit: number;
  readonly capital: number;
};

/** What of a day the series is made of. */
export type DayOfSeries = Pick<
  FoldedDay,
  "day" | "bought" | "fee" | "realized" | "cash" | "unmatchedUsd" | "openCost" | "openValue"
>;

type Carried = { readonly day: number; readonly gain: number; readonly value: number };

/** As if before the wallet's first row nothing was held. */
const NOTHING_BEFORE: Carried = { day: 0, gain: 0, value: 0 };

/**
 * The days from `since` on, the earliest first:
 * profit = realised − fees + (value − cost) held at the day's end − the same at the end of the day before;
 * capital = value held at the end of the day before + the larger of what was bought and what was paid net that day.
 * A day without a row had nothing unresolved to hold, so what it held is worth its cost, which the books of the next row
 * tell: so a day's capital hangs on no row further back.
 */
export function dailySeries(days: readonly DayOfSeries[], since: number): DailyProfit[] {
  const series: DailyProfit[] = [];
  let before = NOTHING_BEFORE;
  for (const day of days) {
    if (day.day < since - 1) continue;
    const now = carriedBy(day);
    const follows = before.day + 1 === day.day;
    if (day.day >= since) series.push(dailyOf(day, now, follows ? before : undefined));
    before = now;
  }
  return series;
}

const carriedBy = ({ day, openValue, openCost }: DayOfSeries): Carried => ({
  day,
  gain: realOf(lessMicros(openValue, openCost)),
  value: realOf(openValue),
});

function dailyOf(day: DayOfSeries, now: Carried, before: Carried | undefined): DailyProfit {
  const paid = lessMicros(0, day.cash);
  const spent = realOf(day.bought > paid ? day.bought : paid);
  return {
    day: day.day,
    profit: realOf(lessMicros(day.realized, day.fee)) + now.gain - (before?.gain ?? 0),
    capital: (before === undefined ? costBefore(day) : before.value) + spent,
  };
}

/** What was held before the day at its cost, by the books of the day. */
function costBefore({ openCost, realized, fee, cash, unmatchedUsd }: DayOfSeries): number {
  return realOf(lessMicros(addMicros(addMicros(lessMicros(openCost, realized), fee), cash), unmatchedUsd));
}
