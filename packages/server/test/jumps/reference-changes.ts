/** A token's minute: the last trade's price, the volume, and the midpoint of the last quotes. */
export type Minute = {
  readonly minute: number;
  readonly close?: number;
  readonly shares: number;
  readonly mid?: number;
};

/** The compared fields of a row of `price_changes`. */
export type Change = {
  readonly bucket: number;
  readonly close: number | null;
  readonly previous_close: number | null;
  readonly statistic: number | null;
  readonly p_value: number | null;
  readonly jump_before: number | null;
  readonly window_buckets: number;
  readonly is_reverted: boolean;
};

type Bar = { b: number; close: number | undefined; fair: number; shares: number };
type Return = { b: number; size: number };

const WINDOW = 96;
const DRIFT = 6;
const LATELY = 20;
const USUAL_RETURNS = 12;
const DAILY_VARIANCE = 1.4;

function barsOf(minutes: readonly Minute[], seconds: number): Bar[] {
  const bars = new Map<number, Bar & { mid: number | undefined }>();
  for (const { minute, close, shares, mid } of minutes.toSorted((a, b) => a.minute - b.minute)) {
    const b = Math.floor(minute / seconds);
    const bar = bars.get(b) ?? { b, close: undefined, fair: 0, shares: 0, mid: undefined };
    bar.close = close ?? bar.close;
    bar.mid = mid ?? bar.mid;
    bar.shares += shares;
    bars.set(b, bar);
  }
  for (const bar of bars.values()) bar.fair = bar.mid ?? bar.close ?? Number.NaN;
  return [...bars.values()];
}

const logit = (price: number): number => {
  const part = Math.min(Math.max(price, 0.0005), 1 - 0.0005);
  return Math.log(part / (1 - part));
};

/** The changes of one token at one resolution, bar by bar and straight from the definitions. */
export function referenceChanges(minutes: readonly Minute[], seconds: number): Change[] {
  const bars = barsOf(minutes, seconds);
  const returns: Return[] = bars.map((bar, index) => {
    const before = bars[index - 1];
    const isNear = before !== undefined && bar.b - before.b <= DRIFT;
    return { b: bar.b, size: isNear ? logit(bar.fair) - logit(before.fair) : 0 };
  });
  const changes: Change[] = [];
  for (const [index, bar] of bars.entries()) {
    const previous = bars.slice(0, index).findLast(({ close }) => close !== undefined)?.close;
    const next = bars.filter(({ b, close }) => b > bar.b && b <= bar.b + 10 && close !== undefined);
    changes.push({
      bucket: bar.b * seconds,
      close: bar.close ?? null,
      previous_close: bar.close === undefined ? null : (previous ?? null),
      ...tested(bars, returns, index, seconds),
      is_reverted: bar.close !== undefined && previous !== undefined && isReverted(previous, bar.close, next),
    });
  }
  return changes;
}

function isReverted(before: number, after: number, next: readonly Bar[]): boolean {
  const middle = Math.round((before + after) * 1e6);
  const reached = next.map(({ close }) => Math.round((close ?? 0) * 2e6));
  if (after > before) return reached.some((price) => price <= middle);
  return after < before && reached.some((price) => price >= middle);
}

/** Products of neighbouring returns in the `size` buckets before those that a move may span. */
function productsOf(returns: readonly Return[], b: number, size: number): number[] {
  return returns.flatMap((one, at) =>
    one.b >= b - size - DRIFT && one.b < b - DRIFT ? [Math.abs(one.size * (returns[at - 1]?.size ?? 0))] : [],
  );
}

function scaleOf(products: readonly number[], seconds: number): number {
  const sum = (products.reduce((total, one) => total + one, 0) * Math.PI) / 2;
  const usual = (USUAL_RETURNS * DAILY_VARIANCE * seconds) / 86_400;
  return Math.sqrt((sum + usual) / (products.length - 2 + USUAL_RETURNS));
}

function tested(bars: readonly Bar[], returns: readonly Return[], index: number, seconds: number) {
  const none = { statistic: null, p_value: null, jump_before: null, window_buckets: 0 };
  const bar = bars[index];
  if (bar === undefined) return none;
  const back = bars
    .slice(0, index)
    .filter(({ b }) => b >= bar.b - DRIFT)
    .toReversed();
  const window = productsOf(returns, bar.b, WINDOW);
  if (window.length < 2 || back.length === 0) return none;
  const n = window.length;
  const lately = scaleOf(productsOf(returns, bar.b, LATELY), seconds);
  const scale = Math.max(scaleOf(window, seconds), lately);
  const moves = back.map(({ fair }) => logit(bar.fair) - logit(fair));
  const scaled = back.map(({ fair }, at) =>
    Math.min(Math.abs(moves[at] ?? 0) / scale, Math.abs(bar.fair - fair) / 0.005),
  );
  const sums = scaled.map((move, at) => move - (at + 1));
  const height = Math.max(...sums);
  const single = (scaled[0] ?? 0) / Math.sqrt(2 / Math.PI);
  const singleP = leeMykland(single, n);
  const sumP = height > 0 ? cusum(height, n) : 1;
  const at = sumP < singleP ? sums.indexOf(height) : 0;
  const chance = Math.min(1, 2 * Math.min(singleP, sumP));
  return {
    statistic: (sumP < singleP ? height : single) * Math.sign(moves[at] ?? 0),
    p_value: chance,
    jump_before: chance < 0.5 ? (back[at]?.fair ?? null) : null,
    window_buckets: n,
  };
}

function leeMykland(statistic: number, n: number): number {
  const c = Math.sqrt(2 / Math.PI);
  const root = Math.sqrt(2 * Math.log(n));
  const middle = root / c - (Math.log(Math.PI) + Math.log(Math.log(n))) / (2 * c * root);
  return -Math.expm1(-Math.exp(-(statistic - middle) * c * root));
}

function cusum(height: number, n: number): number {
  const h = height + 1.166;
  return -Math.expm1((-2 * n) / ((Math.exp(2 * h) - 2 * h - 1) / 2));
}
