import type { ChainLog, ChainWorld, LogWish } from "../../world/chain-contract.ts";
import type { Hex } from "../../world/contract.ts";
import { Rng } from "../../world/core/rng.ts";

/** Maximum number of blocks by which a reorg moves a transaction. */
const FURTHEST = 3;

/** Events that later ones depend on: a reorg leaves their transactions in their block. */
const FIXED = new Set<ChainLog["event"]>([
  "ConditionPreparation",
  "ConditionResolution",
  "MarketPrepared",
  "QuestionPrepared",
  "OutcomeReported",
]);

/** Shares of transactions that a reorg moves or drops; the others stay in their block, in another order. */
export interface ReorgShares {
  /** Share that lands in a later block, which may not exist yet: then the transaction disappears and comes back. */
  moved_share: number;
  /** Share of matches that never come back. */
  dropped_share: number;
}

/** Maps transactions to blocks after reorgs. Keeps an entry for each block replaced and each transaction moved. */
export class BlockMembers {
  readonly #chain: ChainWorld;
  readonly #replaced = new Map<number, number>();
  /** Current block of each transaction that left its original one; null if it was dropped. */
  readonly #moved = new Map<Hex, number | null>();
  /** By block, the transactions moved into it, each with its original block. */
  readonly #incoming = new Map<number, Map<Hex, number>>();

  constructor(chain: ChainWorld) {
    this.#chain = chain;
  }

  /** Number of times a block was replaced. */
  times(number: number): number {
    return this.#replaced.get(number) ?? 0;
  }

  /** Whether a block differs from the world's. */
  isTouched(number: number): boolean {
    return this.#replaced.has(number) || this.#incoming.has(number);
  }

  /** Returns the transactions of a block, in order; none above the head. */
  transactions(number: number): Hex[] {
    const own = this.#chain.transactions(number);
    if (!this.isTouched(number) || number > this.#chain.head()) return own;
    const stayed = own.filter((hash) => !this.#moved.has(hash));
    const ordered = this.times(number) % 2 === 1 ? stayed.toReversed() : stayed;
    return [...ordered, ...(this.#incoming.get(number)?.keys() ?? [])];
  }

  /** Returns the logs of a block with their positions renumbered; none above the head. */
  logs(number: number, wish?: LogWish): ChainLog[] {
    if (!this.isTouched(number)) return this.#chain.logs(number, number, wish);
    const homes = this.#incoming.get(number) ?? new Map<Hex, number>();
    const own = Map.groupBy(this.#chain.logs(number, number), (log) => log.tx_hash);
    let log_index = 0;
    const logs = this.transactions(number).flatMap((tx_hash, tx_index) => {
      const home = homes.get(tx_hash);
      const mine = home === undefined ? own.get(tx_hash) : this.#logsOf(tx_hash, home);
      return (mine ?? []).map((log) => {
        const placed = Object.assign({}, log, { block_number: number, tx_index, log_index });
        log_index += 1;
        return placed;
      });
    });
    return wish === undefined ? logs : logs.filter(wish);
  }

  /** Block of a transaction created in block `home`, which may be a future one; null when it never comes back. */
  blockOf(hash: Hex, home: number): number | null {
    return this.#moved.get(hash) ?? (this.#moved.has(hash) ? null : home);
  }

  /** Replaces blocks, given with their current logs; the deepest first. */
  replace(left: readonly { number: number; logs: readonly ChainLog[] }[], shares: ReorgShares): void {
    for (const { number } of left) this.#replaced.set(number, this.times(number) + 1);
    for (const { number, logs } of left) {
      for (const [hash, own] of Map.groupBy(logs, (log) => log.tx_hash)) this.#draw(hash, number, own, shares);
    }
  }

  #draw(hash: Hex, number: number, logs: readonly ChainLog[], { moved_share, dropped_share }: ReorgShares): void {
    if (logs.some((log) => FIXED.has(log.event))) return;
    const draw = new Rng(this.times(number), hash);
    const isMatch = logs.some((log) => log.event === "OrdersMatched");
    const lot = draw.unit();
    if (isMatch && lot < dropped_share) return this.#move(hash, number, null);
    const isMoved = lot >= dropped_share && lot < dropped_share + moved_share;
    if (isMoved) this.#move(hash, number, number + 1 + draw.below(FURTHEST));
  }

  #move(hash: Hex, from: number, to: number | null): void {
    const home = this.#incoming.get(from)?.get(hash) ?? from;
    this.#incoming.get(from)?.delete(hash);
    this.#moved.set(hash, to);
    if (to === null) return;
    const there = this.#incoming.get(to) ?? new Map<Hex, number>();
    this.#incoming.set(to, there.set(hash, home));
  }

  #logsOf(hash: Hex, home: number): ChainLog[] {
    return this.#chain.logs(home, home).filter((log) => log.tx_hash === hash);
  }
}
