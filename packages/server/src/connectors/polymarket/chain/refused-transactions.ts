import type { RefusedRow } from "../../../definition/read-page.ts";

/** Transactions of logs that could not be read; undefined where a log does not even say whose it is. */
export function refusedTransactions(refused: readonly RefusedRow[]): readonly string[] | undefined {
  const hashes = new Set<string>();
  for (const { key } of refused) {
    const hash = key?.["tx_hash"];
    if (hash === undefined) return undefined;
    hashes.add(hash);
  }
  return [...hashes];
}
