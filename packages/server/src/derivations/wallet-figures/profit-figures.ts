import { addMicros } from "../../definition/micros.ts";
import type { MadeValue } from "../../definition/served-buckets.ts";
import type { FoldedDay } from "../wallet/folded-wallet.ts";
import {
  decimalFigure,
  figure,
  ofAmounts,
  ofCount,
  ofCounts,
  ratio,
  realOf,
  realOfDecimal,
  type Decimal,
} from "./amounts.ts";
import { balanceOf, lastFillAt, RECENT_DAYS, sumDays, type DaySpan, type DaySums } from "./window-sums.ts";

/** Share of positions won by chance, its variance, and the fewest positions for a z-score. */
const USUAL_WIN_RATE = 0.567;
const USUAL_VARIANCE = 0.567 * 0.433;
const MIN_ENDED = 10;
const MAX_ROI: Decimal = { parts: 1000n * 10n ** 12n, places: 12 };

type Fields = Readonly<Record<string, MadeValue>>;

export const winRateOf = ({ wins, losses }: DaySums): Decimal | null => ofCounts(wins, wins + losses);

/** Number of standard deviations by which positions were won more often than by chance; null if none ended. */
export function winRateZ(sums: DaySums): number | null {
  const winRate = winRateOf(sums);
  if (winRate === null) return null;
  return (realOfDecimal(winRate) - USUAL_WIN_RATE) / Math.sqrt(USUAL_VARIANCE / (sums.wins + sums.losses));
}

/** Whether enough positions ended for a z-score. */
export const hasEnough = ({ wins, losses }: DaySums): boolean => wins + losses >= MIN_ENDED;

/** Fields of the window, trades and profit. */
export function profitFields(sums: DaySums, span: DaySpan): Fields {
  const { buys, sells, bought, pnl, wins, losses } = sums;
  const trades = buys + sells;
  return {
    date: timestampOf(span.last),
    date_range_start: timestampOf(span.first),
    date_range_end: timestampOf(span.last),
    calculation_window_days: span.length,
    total_trades: trades,
    total_buy_trades: buys,
    total_sell_trades: sells,
    buy_trade_ratio: figure(ratio(buys, trades)),
    sell_trade_ratio: figure(ratio(sells, trades)),
    total_invested: bought,
    total_pnl: pnl,
    roi: decimalFigure(percentOf(ofAmounts(pnl, bought))),
    winning_trades: wins,
    losing_trades: losses,
    win_rate: decimalFigure(winRateOf(sums)),
    win_rate_z_score: figure(hasEnough(sums) ? winRateZ(sums) : 0),
    statistical_confidence: figure(trades === 0 ? null : 1 - 1 / Math.sqrt(trades)),
    days_active: sums.daysActive,
    fees_usd: sums.fee,
    fees: sums.fee,
    avg_trade_size: decimalFigure(ofCount(bought, trades)),
    trade_size_stdev: figure(tradeDeviation(sums)),
    maker_share: figure(ratio(realOf(sums.makerUsd), realOf(addMicros(bought, sums.sold)))),
  };
}

const timestampOf = (day: number): number => day * 86_400;

function percentOf(roi: Decimal | null): Decimal | null {
  if (roi === null) return null;
  return roi.parts * 100n > MAX_ROI.parts ? MAX_ROI : { ...roi, parts: roi.parts * 100n };
}

/** Standard deviation of the notional of buy fills. */
const tradeDeviation = ({ buys, boughtSpread }: DaySums): number | null =>
  buys < 2 ? null : Math.sqrt(boughtSpread / (buys - 1));

/** Fields that depend on the days before the window too. */
export function historyFields(days: readonly FoldedDay[], latest: FoldedDay, asOf: number): Fields {
  const recent = sumDays(days, asOf - RECENT_DAYS + 1);
  const { status, residual } = balanceOf(days, latest);
  return {
    last_active: lastFillAt(days),
    pnl_last_30day: recent.pnl,
    win_rate_last_30day: figure(ratio(recent.wins, recent.wins + recent.losses)),
    pnl_status: status,
    pnl_residual_usd: { real: residual },
  };
}
