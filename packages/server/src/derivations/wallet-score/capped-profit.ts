const MOST_OF_ALL = 0.2;

/** Sum of markets' profits (USD) in which no market's gain counts for more than a fifth of all gains; losses count whole. */
export function cappedProfit(profits: readonly number[]): number {
  let gains = 0;
  for (const profit of profits) gains += Math.max(0, profit);
  let sum = 0;
  for (const profit of profits) sum += Math.min(profit, MOST_OF_ALL * gains);
  return sum;
}
