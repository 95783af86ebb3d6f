/** A candle as drawn; `texts` are the same figures, exact. */
export type Candle = {
  /** Start time in Unix seconds. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly texts: Readonly<Record<"open" | "high" | "low" | "close" | "volume", string>>;
};

/** A timed event marked on the chart. */
export type ChartMark = {
  readonly id: string;
  /** Unix seconds. */
  readonly time: number;
  readonly kind: "up" | "down" | "post";
  readonly text: string;
};

const MOST = 5000;

/** Times between candles without trades, so that the axis is linear in time; none if there are too many. */
export function emptyTimes(times: readonly number[], stepS: number, most = MOST): number[] {
  const empty: number[] = [];
  for (const [index, time] of times.entries()) {
    const next = times[index + 1];
    if (next === undefined) break;
    for (let at = time + stepS; at < next; at += stepS) {
      empty.push(at);
      if (times.length + empty.length > most) return [];
    }
  }
  return empty;
}

/** Marks of one kind at one candle, drawn as a single mark. */
export type PlacedMark = {
  readonly time: number;
  readonly kind: ChartMark["kind"];
  readonly marks: readonly ChartMark[];
};

/**
 * Places marks, in time order, at the last candle that begins at or before them. Marks before all candles are dropped.
 * Marks of one kind at one candle become one, so that many posts do not pile up.
 */
export function placeMarks(marks: readonly ChartMark[], times: readonly number[]): PlacedMark[] {
  const [first] = times;
  if (first === undefined) return [];
  const shown = marks.filter(({ time }) => time >= first);
  const placed = Map.groupBy(shown, (mark) => `${times[lastBy(times, mark.time)] ?? first} ${mark.kind}`);
  return [...placed]
    .map(([place, together]) => ({
      time: Number(place.split(" ")[0]),
      kind: together[0]?.kind ?? "post",
      marks: together,
    }))
    .sort((left, right) => left.time - right.time || left.kind.localeCompare(right.kind));
}

/** Index of the last time that is not after `at`; 0 if all are after it. */
export function lastBy(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((times[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
