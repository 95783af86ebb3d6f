import type { DataTrade } from "../data/data-trade.ts";
import { fillKey } from "../data/fill-key.ts";

/** What two sources of taker fills agree and differ on. */
export type Compared = {
  readonly agreed: number;
  /** What the Data API has and the chain walk did not bring. */
  readonly missing: readonly DataTrade[];
  /** Transactions that the chain walk brought and the Data API does not have. */
  readonly unlisted: number;
};

/**
 * Compares by what both know: transaction, wallet, token, side and shares, as often as they occur. `stored` reaches
 * further than the compared seconds `after` (exclusive) to `to`: a reorganised transaction keeps its first time at the
 * Data API.
 */
export function compareTakers(
  told: readonly DataTrade[],
  stored: readonly { readonly seconds: number; readonly key: string }[],
  after: number,
  to: number,
): Compared {
  const left = new Map<string, number>();
  for (const { key } of stored) left.set(key, (left.get(key) ?? 0) + 1);
  const missing = told.filter((trade) => {
    const count = left.get(fillKey(trade)) ?? 0;
    left.set(fillKey(trade), count - 1);
    return count <= 0;
  });
  const listed = new Set(told.map(({ tx_hash }) => tx_hash));
  const unlisted = stored.filter(({ seconds, key }) => seconds > after && seconds <= to && !listed.has(txOf(key)));
  return {
    agreed: told.length - missing.length,
    missing,
    unlisted: new Set(unlisted.map(({ key }) => txOf(key))).size,
  };
}

const txOf = (key: string): string => key.slice(0, key.indexOf("|"));
