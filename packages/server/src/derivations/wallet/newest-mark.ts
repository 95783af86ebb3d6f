/** Marks of a token: days since 1970, ascending, and 1e-6 USD per share on each. */
export type Marks = { readonly days: Uint16Array; readonly marks: Int32Array };

/** The newest mark on or before a day; undefined if there is none. */
export function newestMark({ days, marks }: Marks, day: number): number | undefined {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle] ?? 0) <= day) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : marks[low - 1];
}
