import type { ChainBlock } from "../../world/chain-contract.ts";
import type { LeftBlock, ReorgChain } from "./reorg-chain.ts";

/** Most blocks told at once; after a longer jump the oldest are passed over, as a node that was away does. */
const mostAtOnce = 10_000;

/** Somebody who follows the head: hears each new block, and which told blocks were left. */
export interface HeadWatcher {
  block(block: ChainBlock): void;
  left(blocks: readonly LeftBlock[]): void;
}

/** Calls back for each new block while somebody watches. */
export interface HeadWatch {
  /** Returns the function that stops watching. */
  watch(watcher: HeadWatcher): () => void;
  close(): void;
}

/** Looks at the head every `everyMs` of wall time, only while somebody watches. */
export function headWatch(chain: ReorgChain, everyMs: number): HeadWatch {
  const watchers = new Set<HeadWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let told = 0;
  const tell = (from: number, to: number): void => {
    for (let number = from; number <= to; number += 1) {
      const block = chain.block(number);
      if (block !== undefined) for (const watcher of watchers) watcher.block(block);
    }
  };
  const look = (): void => {
    const head = chain.head();
    tell(Math.max(told + 1, head - mostAtOnce), head);
    told = head;
  };
  const leave = chain.onReorg((blocks) => {
    const known = blocks.filter(({ block }) => block.number <= told);
    const first = known[0];
    if (timer === undefined || first === undefined) return;
    for (const watcher of watchers) watcher.left(known);
    tell(first.block.number, told);
  });
  const rest = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    watch(watcher) {
      if (timer === undefined) {
        told = chain.head();
        timer = setInterval(look, everyMs);
      }
      watchers.add(watcher);
      return () => {
        watchers.delete(watcher);
        if (watchers.size === 0) rest();
      };
    },
    close() {
      rest();
      leave();
    },
  };
}
