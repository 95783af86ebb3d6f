/** Index of the first item of a sorted list whose `of` is at least `value`; the length when there is none. */
export function firstIndex<T>(list: readonly T[], value: number, of: (item: T) => number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = list[middle];
    if (item !== undefined && of(item) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
