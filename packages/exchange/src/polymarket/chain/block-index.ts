import type { Hex } from "viem";
import type { ReorgChain } from "./reorg-chain.ts";

/** Finds blocks by hash and transactions by hash. */
export interface BlockIndex {
  /** Number of the block with this hash. */
  byHash(hash: string): number | undefined;
  /** Number of the block of a transaction. */
  byTransaction(hash: string): number | undefined;
}

/** An index that reads each block once, when first asked for something it has not seen. Grows with the chain. */
export function blockIndex(chain: ReorgChain): BlockIndex {
  const blocks = new Map<string, number>();
  const transactions = new Map<Hex | string, number>();
  let next = chain.first_block;
  chain.onReorg((left) => {
    for (const { block, logs } of left) {
      blocks.delete(block.hash);
      for (const { tx_hash } of logs) transactions.delete(tx_hash);
    }
    next = Math.min(next, left[0]?.block.number ?? next);
  });
  const readOn = (): void => {
    for (const head = chain.head(); next <= head; next += 1) {
      const block = chain.block(next);
      if (block !== undefined) blocks.set(block.hash, next);
      for (const hash of chain.transactions(next)) transactions.set(hash, next);
    }
  };
  const find = (map: Map<string, number>, key: string): number | undefined => {
    const known = map.get(key);
    if (known !== undefined) return known;
    readOn();
    return map.get(key);
  };
  return {
    byHash: (hash) => find(blocks, hash.toLowerCase()),
    byTransaction: (hash) => find(transactions, hash.toLowerCase()),
  };
}
