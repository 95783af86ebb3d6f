import { addMicros, lessMicros, exactMicros, type Micros } from "../../definition/micros.ts";
import { hexOf, isOneOf } from "../../definition/filter.ts";
import type { KeyedReader, ReadKeyed, ReadStatement } from "../../definition/served-keyed.ts";
import { sql } from "../../definition/sql.ts";
import { servedWalletDays } from "../../tables/served-wallet-days.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { trendOf } from "../wallet-figures/curve-figures.ts";
import { dailySeries, type DayOfSeries } from "../wallet-figures/daily-series.ts";
import { returnsOf, sharpeOf, sharpeProbability } from "../wallet-figures/return-figures.ts";
import type { DaySpan } from "../wallet-figures/window-sums.ts";
import { CONTEXT_DAYS, firstDayOf, type WalletWindow } from "../wallet-window/wallet-window.ts";
import type { BoardRow } from "../wallet-window/board-columns.ts";

/** Fewest days read up to a window's end. */
export const MAX_CONTEXT = Math.max(...CONTEXT_DAYS);
const DAY = 86_400;
const WALLET_BYTES = 20;

/** A board's row is replaced by a new object when a day of its wallet changes, so values cached by row stay valid. */
const markets = new WeakMap<BoardRow, number>();

/**
 * Counts the markets in which wallets had a fill within a window, unless cached. A count is not cached while the market
 * of a traded token is unknown: it changes without the wallet's days once the market is known.
 */
export async function countMarkets(
  window: WalletWindow,
  rows: readonly BoardRow[],
  statement: ReadStatement,
): Promise<(row: BoardRow) => number> {
  const counted = new Map<BoardRow, number>();
  const uncached = rows.filter((row) => !markets.has(row));
  if (uncached.length > 0) {
    const wallets = isOneOf(
      sql`wallet`,
      uncached.map(({ key }) => key),
      WALLET_BYTES,
    );
    const reported = await statement<{ key: string; n: string; unknown: string }>(
      sql`SELECT ${hexOf(sql`wallet`)} AS key, toString(uniqExactIf(condition_id, buys + sells > 0)) AS n, toString(countIf(buys + sells > 0 AND condition_id = toFixedString('', 32))) AS unknown FROM ${walletTokenDays} FINAL WHERE ${wallets} AND day >= ${firstDayOf(window)} AND day <= ${window.asOf} AND NOT is_gone GROUP BY wallet`,
      [walletTokenDays],
    );
    const found = new Map(reported.map((one) => [one.key, one]));
    for (const row of uncached) {
      const one = found.get(row.key);
      counted.set(row, Number(one?.n ?? 0));
      if (one?.unknown === "0") markets.set(row, Number(one.n));
    }
  }
  return (row) => counted.get(row) ?? markets.get(row) ?? 0;
}

export type ShownDetails = {
  readonly sharpe: number | null;
  readonly probability: number | null;
  readonly trend: string;
  /** Profit of the last days, for each length of CONTEXT_DAYS, in millionths. */
  readonly context: readonly Micros[];
};

const details = new WeakMap<BoardRow, ShownDetails>();

/**
 * Figures of a window from the wallet's days, in addition to its row's sums; `row` is undefined if the wallet had no
 * event in the window.
 */
export function detailsOf(wallet: string, row: BoardRow | undefined, span: DaySpan, reader: KeyedReader): ShownDetails {
  const known = row && details.get(row);
  if (known !== undefined) return known;
  const days = daysOf(wallet, Math.min(span.first - 1, span.last - MAX_CONTEXT + 1), span.last, reader.rows);
  const series = row === undefined ? [] : dailySeries(days, span.first);
  const returns = returnsOf(series);
  const made: ShownDetails = {
    sharpe: sharpeOf(returns),
    probability: sharpeProbability(returns.returns),
    trend: trendOf(series, span),
    context: contextOf(days, span.last),
  };
  if (row !== undefined && reader.isWhole()) details.set(row, made);
  return made;
}

type Day = DayOfSeries & { readonly pnl: Micros };

function daysOf(wallet: string, first: number, last: number, read: ReadKeyed): Day[] {
  const days: Day[] = [];
  const span = { from: Math.max(0, first) * DAY, to: last * DAY };
  for (const row of read(servedWalletDays, "wallet", wallet, span)) {
    if (row.number("is_gone") === 1) continue;
    const [realized, fee] = [exactMicros(row.micros("realized_usd")), exactMicros(row.micros("fee_usd"))];
    days.push({
      day: row.number("day") / DAY,
      bought: exactMicros(row.micros("bought_usd")),
      fee,
      realized,
      pnl: lessMicros(realized, fee),
      cash: exactMicros(row.micros("cash_usd")),
      unmatchedUsd: exactMicros(row.micros("unmatched_usd")),
      openCost: exactMicros(row.micros("open_cost_usd")),
      openValue: exactMicros(row.micros("open_value_usd")),
    });
  }
  return days;
}

function contextOf(days: readonly Day[], last: number): Micros[] {
  return CONTEXT_DAYS.map((length) => {
    let sum: Micros = 0;
    for (const { day, pnl } of days) if (day > last - length) sum = addMicros(sum, pnl);
    return sum;
  });
}
