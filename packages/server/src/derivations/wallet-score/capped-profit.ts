/** Of all gains, so much at most is one market's. */
export const MOST_OF_ALL = 0.2;

/**
 * Sum of markets' profits (USD, a list an event) in which no market's gain counts for more than a fifth of all gains;
 * losses count whole.
 */
export function cappedProfit(events: readonly { readonly profits: readonly number[] }[]): number {
  let gains = 0;
  for (const { profits } of events) for (const profit of profits) gains += Math.max(0, profit);
  const most = MOST_OF_ALL * gains;
  let sum = 0;
  for (const { profits } of events) for (const profit of profits) sum += Math.min(profit, most);
  return sum;
}
