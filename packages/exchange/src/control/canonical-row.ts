import type { ReorgChain } from "../polymarket/chain/reorg-chain.ts";
import type { Hex } from "../world/contract.ts";

interface PlacedRow {
  tx_hash: Hex;
  block_number: number;
  block_ms: number;
  /** Log index of a single event; a match has `legs` instead. */
  log_index?: number;
  legs?: readonly { log_index: number }[];
}

/**
 * Returns a truth row with its chain position after reorgs. `dropped`: the transaction never came back and the row
 * keeps its old position; `pending`: it will come back in a block that does not exist yet, so its log indexes are
 * unknown.
 */
export function canonicalRow<R extends PlacedRow>(row: R, chain: Pick<ReorgChain, "placeOf">) {
  const place = chain.placeOf(row.tx_hash, row.block_number);
  if (place === null) return { ...row, dropped: true, pending: false };
  const { block_number, block_ms, log_shift, is_pending } = place;
  const shifted = <T extends { log_index: number }>(item: T): T => ({ ...item, log_index: item.log_index + log_shift });
  return {
    ...row,
    block_number,
    block_ms,
    ...(row.log_index !== undefined && { log_index: row.log_index + log_shift }),
    ...(row.legs !== undefined && { legs: row.legs.map(shifted) }),
    dropped: false,
    pending: is_pending,
  };
}
