import type { ChartMark } from "./candle.ts";

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
