/** X counts milliseconds from here. */
const EPOCH_MS = 1_288_834_974_657;

/** Id of a post on X: its moment above, 22 bits below. Ids rise with time, and within a millisecond with `low`. */
export function snowflake(ms: number, low: number): string {
  return String((BigInt(Math.max(0, ms - EPOCH_MS)) << 22n) + BigInt(low % 2 ** 22));
}
