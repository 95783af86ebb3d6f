import type { DataTrade } from "../data/data-trade.ts";
import { fillKey } from "../data/fill-key.ts";

/** What a second read of the trades feed and the store agree and differ on. */
export type ComparedFills = {
  readonly agreed: number;
  readonly missing: readonly DataTrade[];
  /** Fills that are stored and were not read now. */
  readonly unlisted: number;
};

/** Compares by fill, as often as each occurs: alike fills of a transaction are several. */
export function compareFills(told: readonly DataTrade[], stored: readonly string[]): ComparedFills {
  const left = new Map<string, number>();
  for (const key of stored) left.set(key, (left.get(key) ?? 0) + 1);
  const missing = told.filter((trade) => {
    const count = left.get(fillKey(trade)) ?? 0;
    if (count > 0) left.set(fillKey(trade), count - 1);
    return count === 0;
  });
  const agreed = told.length - missing.length;
  return { agreed, missing, unlisted: stored.length - agreed };
}
