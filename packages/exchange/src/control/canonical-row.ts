import type { ReorgChain } from "../polymarket/chain/reorg-chain.ts";
import type { Hex } from "../world/contract.ts";

interface PlacedRow {
  tx_hash: Hex;
  block_number: number;
  block_ms: number;
  /** Of one event; a match has `legs`. */
  log_index?: number;
  legs?: readonly { log_index: number }[];
}

/**
 * A truth row with its place after reorgs. `dropped`: its transaction never came back, and its place is where it was;
 * `pending`: it is to come back in a block that is not there yet, and its log indexes are not known.
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
