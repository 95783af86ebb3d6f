import type { Leg } from "./decode-leg.ts";

/**
 * For each leg its number, from 1, among those of its transaction that are alike in wallet, token, side and shares:
 * by notional, as the Data API's are numbered by price, since it does not tell their order on the chain.
 */
export function numberAlike(legs: readonly Leg[]): ReadonlyMap<Leg, number> {
  const groups = Map.groupBy(
    legs,
    ({ log, wallet, tokenId, side, shares }) => `${log.transactionHash} ${wallet} ${tokenId} ${side} ${shares}`,
  );
  const numbers = new Map<Leg, number>();
  for (const alike of groups.values()) {
    const sorted = alike.toSorted((a, b) => (a.usd < b.usd ? -1 : a.usd > b.usd ? 1 : 0));
    for (const [place, leg] of sorted.entries()) numbers.set(leg, place + 1);
  }
  return numbers;
}
