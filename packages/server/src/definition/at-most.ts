const one = (): number => 1;

/**
 * What an LRU cache of at most so many entries is opened with, where these are thousands: its memory grows as it fills.
 * With `max` it takes 27 bytes for each of them, and 20 ms for a hundred thousand, before it has any.
 */
export const atMost = (entries: number): { readonly maxSize: number; readonly sizeCalculation: () => number } => ({
  maxSize: entries,
  sizeCalculation: one,
});
