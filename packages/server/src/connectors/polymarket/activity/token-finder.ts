import { positionId } from "./position-id.ts";

const MOST_KEPT = 50_000;

/** The tokens of some index sets of a condition, in their order. */
export type TokenFinder = (collateral: string, conditionId: string, indexSets: readonly bigint[]) => readonly bigint[];

/**
 * Derives tokens and keeps the last fifty thousand answers: deriving one takes half a millisecond, and busy markets come
 * again and again. What is kept is only ever what would be derived.
 */
export function tokenFinder(): TokenFinder {
  const known = new Map<string, readonly bigint[]>();
  return (collateral, conditionId, indexSets) => {
    const key = `${collateral}${conditionId}${indexSets.join(",")}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const derived = indexSets.map((indexSet) => positionId(collateral, conditionId, indexSet));
    if (known.size >= MOST_KEPT) known.clear();
    known.set(key, derived);
    return derived;
  };
}
