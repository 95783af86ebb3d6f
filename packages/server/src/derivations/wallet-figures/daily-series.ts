import { addMicros, lessMicros } from "../../definition/micros.ts";
import type { FoldedDay } from "../wallet/folded-wallet.ts";
import { realOf } from "./amounts.ts";

/** A day as input of the statistics. */
export type DailyProfit = {
  readonly day: number;
  /** Marked to market. */
  readonly profit: number;
  readonly capital: number;
};

/** Fields of a day from which the series is derived. */
export type DayOfSeries = Pick<
  FoldedDay,
  "day" | "bought" | "fee" | "realized" | "cash" | "unmatchedUsd" | "openCost" | "openValue"
>;

type Carried = { readonly day: number; readonly gain: number; readonly value: number };

/** Treats the time before the wallet's first row as without holdings. */
const NOTHING_BEFORE: Carried = { day: 0, gain: 0, value: 0 };

/**
 * The days from `since` on, the earliest first: profit = realised − fees + (value − cost) held at the day's end − the
 * same at the end of the day before; capital = value held at the end of the day before + the larger of the day's
 * purchases and its net payment. A day without a row had no unresolved holdings, so its holdings are worth their cost,
 * which the next row gives: a day's capital therefore depends on no earlier row.
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

/** Cost of the holdings before the day, derived from the day's row. */
function costBefore({ openCost, realized, fee, cash, unmatchedUsd }: DayOfSeries): number {
  return realOf(lessMicros(addMicros(addMicros(lessMicros(openCost, realized), fee), cash), unmatchedUsd));
}
