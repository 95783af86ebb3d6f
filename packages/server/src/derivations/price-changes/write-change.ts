import type { RowWriter } from "../../definition/row-writer.ts";
import type { Bars } from "./bars.ts";
import { changePct } from "./change-pct.ts";
import { EXTENTS } from "./extents.ts";
import type { TokenMinutes } from "./minutes.ts";
import type { Moves } from "./moves.ts";

const MICRO = 1e6;

/** A token's bars of one length, and the moves that end in them. */
export type Made = {
  readonly token: TokenMinutes;
  readonly seconds: number;
  /** The resolution as the table numbers it. */
  readonly choice: number;
  readonly bars: Bars;
  readonly moves: Moves;
};

/** A row of price_changes, column by column in its order; `previous` is the last close before the bar, NaN without any. */
export function writeChange(row: RowWriter, made: Made, at: number, previous: number): void {
  const { token, seconds, choice, bars } = made;
  const close = bars.close[at] as number;
  const isTraded = !Number.isNaN(close);
  const hasPrevious = isTraded && !Number.isNaN(previous);
  row.begin();
  row.small(choice);
  row.count((bars.bucket[at] as number) * seconds);
  row.copy(token.token);
  if (!row.isNull(!isTraded)) row.micro(close);
  if (!row.isNull(!hasPrevious)) row.micro(previous);
  if (!row.isNull(!hasPrevious || previous === 0)) row.micro(changePct(previous, close));
  writeVolume(row, made, at, isTraded);
  row.flag(hasPrevious && isHalfGivenBack(bars, bars.close, at, previous, close - previous));
  writeMove(row, made, at);
  row.flag(false);
}

/** The bar's own, and over the mean of the buckets with trades before. */
function writeVolume(row: RowWriter, { token: { traded }, bars, moves }: Made, at: number, isTraded: boolean): void {
  const { minutes } = bars;
  const [from, to] = [minutes[at] as number, minutes[at + 1] as number];
  const start = moves.start[at] as number;
  const buckets = (bars.traded[at] as number) - (bars.traded[start] as number);
  row.micro(traded.shares.exactly(from, to));
  row.count(traded.trades.between(from, to));
  if (row.isNull(!isTraded || buckets === 0)) return;
  const before = traded.shares.between(minutes[start] as number, from) / MICRO;
  row.ratio(traded.shares.between(from, to) / MICRO / (before / buckets));
}

function writeMove(row: RowWriter, { token: { traded }, seconds, bars, moves }: Made, at: number): void {
  const { bucket, fair, minutes } = bars;
  const isMove = moves.isMove[at] === 1;
  const isTested = (moves.returns[at] as number) > 0;
  const first = at - (moves.length[at] as number) + 1;
  const [from, to] = isMove ? [minutes[first] as number, minutes[at + 1] as number] : [0, 0];
  const [before, statistic] = [fair[first - 1] as number, moves.statistic[at] as number];
  if (!row.isNull(!isMove)) row.count((bucket[first] as number) * seconds);
  if (!row.isNull(!isMove)) row.micro(before);
  if (!row.isNull(!isMove)) row.micro(fair[at] as number);
  row.micro(traded.shares.exactly(from, to));
  row.count(traded.trades.between(from, to));
  const ratio = isMove ? (moves.volumeRatio[at] as number) : Number.NaN;
  if (!row.isNull(Number.isNaN(ratio))) row.ratio(ratio);
  if (!row.isNull(!isTested)) row.real(statistic);
  if (!row.isNull(!isTested)) row.real(moves.chance[at] as number);
  row.count(moves.returns[at] as number);
  row.flag(moves.isPeak(bars, at));
  row.flag(isMove && isHalfGivenBack(bars, fair, at, before, statistic));
}

/** Whether what is halfway between a price before and the bar's was reached again in the next buckets; no direction is 0. */
function isHalfGivenBack(
  { count, bucket }: Bars,
  prices: Float64Array,
  at: number,
  before: number,
  direction: number,
): boolean {
  if (direction === 0) return false;
  const both = before + (prices[at] as number);
  const last = (bucket[at] as number) + EXTENTS.reverted;
  for (let next = at + 1; next < count && (bucket[next] as number) <= last; next += 1) {
    const twice = (prices[next] as number) * 2;
    if (direction > 0 ? twice <= both : twice >= both) return true;
  }
  return false;
}
