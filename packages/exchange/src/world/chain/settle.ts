import type { Chain, ChainHappening } from "./chain.ts";
import { chainDrafts } from "./chain-drafts.ts";

/** A place that `settle` fills in. */
export const NO_PLACE = { tx_hash: "0x", block_number: 0, tx_index: 0, block_ms: 0, first_log_index: 0 } as const;

/**
 * Gives a happening its place on the chain, counts its logs, and files it there. What the same wallet does at the same
 * moment, one thing right after the other, is one transaction.
 */
export function settle<T extends ChainHappening>(chain: Chain, happening: T, wallet?: number): T {
  const drafts = chainDrafts(happening);
  const place = chain.place(happening.ms, drafts.length, wallet);
  Object.assign(happening, place);
  const first = place.first_log_index;
  for (const [i, { leg, isTelling }] of drafts.entries()) {
    if (leg !== undefined) leg.log_index = first + i;
    if (isTelling === true && "log_index" in happening) happening.log_index = first + i;
  }
  chain.add(happening);
  return happening;
}
