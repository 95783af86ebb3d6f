import type { MatchHappening } from "../../world/contract.ts";
import type { LeftBlock, ReorgChain } from "./reorg-chain.ts";

/**
 * Marks the matches of replaced blocks that never come back: the Data API follows the chain and no longer serves them.
 */
export function markDropped(
  matches: readonly MatchHappening[],
  chain: Pick<ReorgChain, "placeOf">,
  left: readonly LeftBlock[],
): void {
  const hashes = new Set(left.flatMap(({ logs }) => logs.map((log) => log.tx_hash)));
  for (let index = matches.length - 1; index >= 0 && hashes.size > 0; index -= 1) {
    const match = matches[index];
    if (match === undefined || !hashes.delete(match.tx_hash)) {
      if (match !== undefined && isBefore(match, left)) return;
      continue;
    }
    if (chain.placeOf(match.tx_hash, match.block_number) === null) match.is_dropped = true;
  }
}

/** Whether a match is too old for any reorg to have moved it into these blocks: each moves it by a few blocks only. */
function isBefore(match: MatchHappening, left: readonly LeftBlock[]): boolean {
  return match.block_number < (left[0]?.block.number ?? 0) - 1000;
}
