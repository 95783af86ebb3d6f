import type { ChartMark } from "./candle.ts";

/** Marks of one kind at one candle, drawn as one. */
export type PlacedMark = {
  readonly time: number;
  readonly kind: ChartMark["kind"];
  readonly marks: readonly ChartMark[];
};

/**
 * Marks at the candles they fall into, in order of time: the last candle that begins by then. What was before all
 * candles has no place. What is of one kind at one candle is one mark, lest many posts grow into a tower.
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
