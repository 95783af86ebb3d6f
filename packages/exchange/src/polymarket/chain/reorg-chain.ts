import type { Hex } from "viem";
import { concat, keccak256, numberToHex } from "viem/utils";
import type { ChainBlock, ChainLog, ChainWorld } from "../../world/chain-contract.ts";
import { BlockMembers, type ReorgShares } from "./block-members.ts";
import type { MatchHappening } from "../../world/contract.ts";

/** Deepest reorg, as seen on Polygon. */
const deepest = 32;
const blockSeconds = 2;
const usualShares: ReorgShares = { moved_share: 0.2, dropped_share: 0.02 };

/** A block that a reorg has replaced, with the logs it had. */
export interface LeftBlock {
  block: ChainBlock;
  logs: ChainLog[];
}

/** Current position of a transaction. */
export interface CanonicalPlace {
  block_number: number;
  /** Timestamp of that block, ms. */
  block_ms: number;
  /** Offset to add to the log indexes that the world assigned. */
  log_shift: number;
  /** Whether its block does not exist yet. */
  is_pending: boolean;
}

/** The simulated chain as a node sees it: reorgs can replace its newest blocks. */
export interface ReorgChain extends ChainWorld {
  /**
   * Replaces the newest `depth` blocks (1 to 32) by others of the same height and time: new hashes, transactions in
   * another order and so other log indexes. Some transactions land up to three blocks later, some matches never come
   * back. Returns the replaced blocks, oldest first.
   */
  reorg(depth: number, shares?: ReorgShares): LeftBlock[];
  /** Registers a listener called after each reorg. Returns the function that unsubscribes it. */
  onReorg(listener: (left: readonly LeftBlock[]) => void): () => void;
  /** Position of a transaction that the world put into block `home`; null when it was dropped permanently. */
  placeOf(hash: Hex, home: number): CanonicalPlace | null;
}

/** Wraps the chain of a world, which itself stays unchanged. */
export function reorgChain(chain: ChainWorld): ReorgChain {
  const members = new BlockMembers(chain);
  const listeners = new Set<(left: readonly LeftBlock[]) => void>();
  const seen = seenThrough(chain, members);
  return {
    ...seen,
    reorg(depth, shares = usualShares) {
      const head = chain.head();
      const from = Math.max(chain.first_block + 1, head - Math.min(depth, deepest) + 1);
      const left: LeftBlock[] = [];
      for (let number = from; number <= head; number += 1) {
        const block = seen.block(number);
        if (block !== undefined) left.push({ block, logs: seen.logs(number, number) });
      }
      members.replace(
        left.map(({ block, logs }) => ({ number: block.number, logs })),
        shares,
      );
      for (const listener of listeners) listener(left);
      return left;
    },
    onReorg(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    placeOf: (hash, home) => placeOf(chain, members, hash, home),
  };
}

function seenThrough(chain: ChainWorld, members: BlockMembers): ChainWorld {
  const hashOf = (number: number, own: Hex): Hex => {
    const times = members.times(number);
    return times === 0 ? own : keccak256(concat([own, numberToHex(times)]));
  };
  return {
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
      const last = Math.min(to, chain.head());
      const found: ChainLog[][] = [];
      for (let number = from; number <= last; number += 1) found.push(members.logs(number, wish));
      return found.flat();
    },
    transactions: (number) => members.transactions(number),
  };
}

function placeOf(chain: ChainWorld, members: BlockMembers, hash: Hex, home: number): CanonicalPlace | null {
  const block_number = members.blockOf(hash, home);
  if (block_number === null) return null;
  const head = chain.head();
  const last = chain.block(Math.min(head, block_number))?.timestamp ?? 0;
  const block_ms = (last + Math.max(0, block_number - head) * blockSeconds) * 1000;
  const is_pending = block_number > head;
  if (is_pending || !(members.isTouched(home) || members.isTouched(block_number)))
    return { block_number, block_ms, log_shift: 0, is_pending };
  const first = (logs: readonly ChainLog[]): number => logs.find((log) => log.tx_hash === hash)?.log_index ?? 0;
  const log_shift = first(members.logs(block_number)) - first(chain.logs(home, home));
  return { block_number, block_ms, log_shift, is_pending };
}

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
