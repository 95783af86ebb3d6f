import type { ChainLog, ChainWorld, LogWish } from "../../world/chain-contract.ts";
import type { Hex } from "../../world/contract.ts";
import { Rng } from "../../world/core/rng.ts";

/** How many blocks further on a transaction may land. */
const FURTHEST = 3;

/** Events without which later ones would make no sense: their transactions keep their block. */
const FIXED = new Set<ChainLog["event"]>([
  "ConditionPreparation",
  "ConditionResolution",
  "MarketPrepared",
  "QuestionPrepared",
  "OutcomeReported",
]);

/** What becomes of the transactions of the blocks that are left; the rest stays in its block, in another order. */
export interface ReorgShares {
  /** Land in a later block: at times one that is not there yet, so that they are gone and come back. */
  moved_share: number;
  /** Matches that never come back. */
  dropped_share: number;
}

/** Which transactions are in which block after reorgs. Keeps an entry for each block replaced and each transaction that moved. */
export class BlockMembers {
  readonly #chain: ChainWorld;
  readonly #replaced = new Map<number, number>();
  /** Where a transaction is that left the block it was made in; null: nowhere. */
  readonly #moved = new Map<Hex, number | null>();
  /** By block, what came from elsewhere: the transaction and the block it was made in. */
  readonly #incoming = new Map<number, Map<Hex, number>>();

  constructor(chain: ChainWorld) {
    this.#chain = chain;
  }

  /** How often a block was replaced. */
  times(number: number): number {
    return this.#replaced.get(number) ?? 0;
  }

  /** Does a block differ from the world's? */
  isTouched(number: number): boolean {
    return this.#replaced.has(number) || this.#incoming.has(number);
  }

  /** Transactions of a block, in order; none above the head. */
  transactions(number: number): Hex[] {
    const own = this.#chain.transactions(number);
    if (!this.isTouched(number) || number > this.#chain.head()) return own;
    const stayed = own.filter((hash) => !this.#moved.has(hash));
    const ordered = this.times(number) % 2 === 1 ? stayed.toReversed() : stayed;
    return [...ordered, ...(this.#incoming.get(number)?.keys() ?? [])];
  }

  /** Logs of a block with their places counted anew; none above the head. */
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

  /** Block of a transaction made in block `home`: maybe one to come; null when it never comes back. */
  blockOf(hash: Hex, home: number): number | null {
    return this.#moved.get(hash) ?? (this.#moved.has(hash) ? null : home);
  }

  /** Replaces blocks, given with the logs they have; the deepest first. */
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
