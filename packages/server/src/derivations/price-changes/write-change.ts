import type { RowWriter } from "../../definition/row-writer.ts";
import { type Bars, EXTENTS } from "./buckets.ts";
import type { TokenMinutes } from "./minutes.ts";
import type { Moves } from "./moves.ts";

const MICRO = 1e6;
/** Changes of a candle below this percentage, rounded to two places, are never shown. */
export const MIN_PCT = 1;
const MIN_MICRO_PCT = (MIN_PCT - 0.005) * MICRO;

/** A token's bars of one length, and the moves that end in them. */
export type Made = {
  readonly token: TokenMinutes;
  readonly seconds: number;
  /** The resolution's number in the table. */
  readonly choice: number;
  readonly bars: Bars;
  readonly moves: Moves;
};

/**
 * A row of price_changes, column by column in its order; `previous` is the last close before the bar, NaN without any.
 * A change too small to be shown stores only whether it was tested, and so does a move that is no peak: those are most,
 * and columns without a value take almost no space.
 */
export function writeChange(row: RowWriter, made: Made, at: number, previous: number): void {
  const { token, seconds, choice, bars } = made;
  const close = bars.close[at] as number;
  const pct = Number.isNaN(close) || Number.isNaN(previous) || previous === 0 ? 0 : changePct(previous, close);
  const isShown = Math.abs(Number(pct)) >= MIN_MICRO_PCT;
  const isPeak = made.moves.isPeak(bars, at);
  row.begin();
  row.small(choice);
  row.count((bars.bucket[at] as number) * seconds);
  row.copy(token.token);
  for (const value of [close, previous, pct]) if (!row.isNull(!isShown)) row.micro(value);
  writeVolume(row, made, at, isShown);
  row.flag(isShown && isHalfGivenBack(bars, bars.close, at, previous, close - previous));
  writeMove(row, made, at, isPeak);
  writeTest(row, made, at, isShown || isPeak);
  row.flag(isPeak);
  row.flag(isPeak && isMoveGivenBack(made, at));
  row.flag(false);
}

/** The bar's own volume, and its ratio to the mean of the earlier buckets with trades. */
function writeVolume(row: RowWriter, { token: { traded }, bars, moves }: Made, at: number, isShown: boolean): void {
  const { minutes } = bars;
  const end = minutes[at + 1] as number;
  const from = isShown ? (minutes[at] as number) : end;
  const start = moves.start[at] as number;
  const buckets = (bars.traded[at] as number) - (bars.traded[start] as number);
  row.micro(traded.shares.exactly(from, end));
  row.count(traded.trades.between(from, end));
  if (row.isNull(!isShown || buckets === 0)) return;
  const before = traded.shares.between(minutes[start] as number, from) / MICRO;
  row.ratio(traded.shares.between(from, end) / MICRO / (before / buckets));
}

/** The first bar of the largest move that ends in a bar. */
const firstOf = ({ moves }: Made, at: number): number => at - (moves.length[at] as number) + 1;

function writeMove(row: RowWriter, made: Made, at: number, isPeak: boolean): void {
  const { token, seconds, bars, moves } = made;
  const { shares, trades } = token.traded;
  const { bucket, fair, minutes } = bars;
  const first = firstOf(made, at);
  const end = minutes[at + 1] as number;
  const from = isPeak ? (minutes[first] as number) : end;
  if (!row.isNull(!isPeak)) row.count((bucket[first] as number) * seconds);
  if (!row.isNull(!isPeak)) row.micro(fair[first - 1] as number);
  if (!row.isNull(!isPeak)) row.micro(fair[at] as number);
  row.micro(shares.exactly(from, end));
  row.count(trades.between(from, end));
  const ratio = isPeak ? (moves.volumeRatio[at] as number) : Number.NaN;
  if (!row.isNull(Number.isNaN(ratio))) row.ratio(ratio);
}

function writeTest(row: RowWriter, { moves }: Made, at: number, isShown: boolean): void {
  const returns = moves.returns[at] as number;
  const hasFigures = isShown && returns > 0;
  if (!row.isNull(!hasFigures)) row.real(moves.statistic[at] as number);
  if (!row.isNull(!hasFigures)) row.real(moves.chance[at] as number);
  row.count(returns);
}

const isMoveGivenBack = (made: Made, at: number): boolean =>
  isHalfGivenBack(
    made.bars,
    made.bars.fair,
    at,
    made.bars.fair[firstOf(made, at) - 1] as number,
    made.moves.statistic[at] as number,
  );

/**
 * Whether the price halfway between an earlier price and the bar's was reached again in the next buckets; 0 if there is
 * no direction.
 */
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

/**
 * Change from one price to another in percent, in millionths (as prices are): the quotient is truncated at twelve
 * places, and the percent rounded, halves away from zero.
 */
export function changePct(from: number, to: number): number | bigint {
  const size = Math.abs(to - from) * 1e8;
  if (!Number.isSafeInteger(size)) return exactPct(BigInt(from), BigInt(to));
  const whole = Math.floor(size / from);
  const rest = ((size - whole * from) * 1e4) / from;
  // The quotient is rounded towards negative infinity: a fall is then the larger.
  const isUp = (to < from ? Math.ceil(rest) : Math.floor(rest)) >= 5000;
  const rounded = isUp ? whole + 1 : whole;
  return to < from ? 0 - rounded : rounded;
}

function exactPct(from: bigint, to: bigint): bigint {
  const change = (to * 1_000_000_000_000n) / from - 1_000_000_000_000n;
  return change < 0n ? -((5000n - change) / 10_000n) : (change + 5000n) / 10_000n;
}
