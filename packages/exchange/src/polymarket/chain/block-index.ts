import type { ReorgChain } from "./reorg-chain.ts";

/** Number of the block with a hash; undefined for one that the chain has not, or no longer. */
export type BlockIndex = (hash: string) => number | undefined;

/** An index that reads each block once, when first asked for something it has not seen. Grows with the chain. */
export function blockIndex(chain: ReorgChain): BlockIndex {
  const blocks = new Map<string, number>();
  let next = chain.first_block;
  chain.onReorg((left) => {
    for (const { block } of left) blocks.delete(block.hash);
    next = Math.min(next, left[0]?.block.number ?? next);
  });
  return (hash) => {
    const known = blocks.get(hash);
    if (known !== undefined) return known;
    for (const head = chain.head(); next <= head; next += 1) {
      const block = chain.block(next);
      if (block !== undefined) blocks.set(block.hash, next);
    }
    return blocks.get(hash);
  };
}
