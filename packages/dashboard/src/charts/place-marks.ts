import type { ChartMark } from "./candle.ts";

/** Marks at the candles they fall into, in order of time: the last candle that begins by then, else the first. */
export function placeMarks(marks: readonly ChartMark[], times: readonly number[]): ChartMark[] {
  const [first] = times;
  if (first === undefined) return [];
  const placed = marks.map((mark) => ({ ...mark, time: times[lastBy(times, mark.time)] ?? first }));
  return placed.sort((left, right) => left.time - right.time || left.id.localeCompare(right.id));
}

/** Index of the last time that is not after `at`; 0 where all are. */
export function lastBy(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((times[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
