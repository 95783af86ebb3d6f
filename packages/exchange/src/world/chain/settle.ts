import type { Chain, ChainHappening } from "./chain.ts";
import { chainDrafts } from "./chain-drafts.ts";

/** Placeholder position that `settle` replaces. */
export const NO_PLACE = { tx_hash: "0x", block_number: 0, tx_index: 0, block_ms: 0, first_log_index: 0 } as const;

/**
 * Assigns a happening its chain position and log indexes, and adds it to the chain. Consecutive happenings of one
 * wallet at the same time share a transaction.
 */
export function settle<T extends ChainHappening>(chain: Chain, happening: T, wallet?: number): T {
  const drafts = chainDrafts(happening);
  const place = chain.place(happening.ms, drafts.length, wallet);
  Object.assign(happening, place);
  const first = place.first_log_index;
  for (const [i, { leg, isReporting }] of drafts.entries()) {
    if (leg !== undefined) leg.log_index = first + i;
    if (isReporting === true && "log_index" in happening) happening.log_index = first + i;
  }
  chain.add(happening);
  return happening;
}
