import { concat, type Hex, keccak256, numberToHex } from "viem";
import type { ChainBlock, ChainLog, ChainWorld } from "../../world/chain-contract.ts";

/** Deepest reorg, as seen on Polygon. */
const deepest = 32;

/** A block that the node has left, with the logs it had. */
export interface LeftBlock {
  block: ChainBlock;
  logs: ChainLog[];
}

/** The paper chain as a node sees it: it can change its mind about the newest blocks. */
export interface ReorgChain extends ChainWorld {
  /**
   * Replaces the newest `depth` blocks (1 to 32) by others of the same height and time: new hashes, the same transactions
   * in another order, so other log indexes. Returns what was left, oldest first.
   */
  reorg(depth: number): LeftBlock[];
  /** Hears of reorgs after they happened. Returns the function that stops it. */
  onReorg(listener: (left: readonly LeftBlock[]) => void): () => void;
}

/** Wraps the chain of a world. Keeps one number for each block ever replaced. */
export function reorgChain(chain: ChainWorld): ReorgChain {
  const replaced = new Map<number, number>();
  const listeners = new Set<(left: readonly LeftBlock[]) => void>();
  const hashOf = (number: number, own: Hex): Hex => {
    const times = replaced.get(number);
    return times === undefined ? own : keccak256(concat([own, numberToHex(times)]));
  };
  const seen: ChainWorld = {
    first_block: chain.first_block,
    head: () => chain.head(),
    blockAt: (ms) => chain.blockAt(ms),
    block(number) {
      const own = chain.block(number);
      if (own === undefined) return undefined;
      const { timestamp } = own;
      return { number, hash: hashOf(number, own.hash), parent_hash: hashOf(number - 1, own.parent_hash), timestamp };
    },
    logs(from, to, wish) {
      const isReplaced = [...replaced.keys()].some((number) => number >= from && number <= to);
      if (!isReplaced) return chain.logs(from, to, wish);
      const logs = reordered(chain.logs(from, to), replaced);
      return wish === undefined ? logs : logs.filter(wish);
    },
    transactions(number) {
      const hashes = chain.transactions(number);
      return isTurned(replaced, number) ? hashes.toReversed() : hashes;
    },
  };
  return {
    ...seen,
    reorg(depth) {
      const head = chain.head();
      const from = Math.max(chain.first_block + 1, head - Math.min(depth, deepest) + 1);
      const left: LeftBlock[] = [];
      for (let number = from; number <= head; number += 1) {
        const block = seen.block(number);
        if (block !== undefined) left.push({ block, logs: seen.logs(number, number) });
      }
      for (const { block } of left) replaced.set(block.number, (replaced.get(block.number) ?? 0) + 1);
      for (const listener of listeners) listener(left);
      return left;
    },
    onReorg(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** A block replaced an odd number of times has its transactions the other way round. */
function isTurned(replaced: ReadonlyMap<number, number>, number: number): boolean {
  return (replaced.get(number) ?? 0) % 2 === 1;
}

function reordered(logs: readonly ChainLog[], replaced: ReadonlyMap<number, number>): ChainLog[] {
  const blocks = Map.groupBy(logs, (log) => log.block_number);
  return [...blocks].flatMap(([number, own]) => (isTurned(replaced, number) ? turned(own) : own));
}

/** Transactions of one block in the opposite order, places and log indexes counted anew. */
function turned(logs: readonly ChainLog[]): ChainLog[] {
  const transactions = [...Map.groupBy(logs, (log) => log.tx_hash).values()].toReversed();
  let log_index = 0;
  return transactions.flatMap((own, tx_index) =>
    own.map((log) => {
      const { contract, address, event, exchange_version, args, tx_hash, block_number } = log;
      const place = { tx_hash, tx_index, block_number, log_index };
      log_index += 1;
      return Object.assign(place, { contract, address, event, exchange_version, args });
    }),
  );
}
