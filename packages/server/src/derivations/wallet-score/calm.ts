export type Day = { readonly profit: number; readonly capital: number };

/**
 * 1 less the deepest fall of the summed daily profits from their highest point (from 0 on), over the largest capital of
 * a day; at least 0. Null where no day had capital.
 */
export function calm(days: readonly Day[]): number | null {
  let sum = 0;
  let peak = 0;
  let fall = 0;
  let most = 0;
  for (const { profit, capital } of days) {
    sum += profit;
    peak = Math.max(peak, sum);
    fall = Math.max(fall, peak - sum);
    most = Math.max(most, capital);
  }
  return most > 0 ? Math.max(0, 1 - fall / most) : null;
}
