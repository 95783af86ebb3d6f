import type { ChainBlock, ChainLog, ChainWorld, LogWish } from "../chain-contract.ts";
import type { Happening, Hex, TxPlace } from "../contract.ts";
import { firstIndex } from "../first-index.ts";
import { HASH_KIND, mixHex } from "../core/mix-hash.ts";

/** Happenings that are on-chain transactions. */
export type ChainHappening = Extract<Happening, TxPlace>;

const BLOCK_MS = 2000;
/** Minimum delay from a match to its block. */
const DELAY_MS = 1000;
/** Height of the real chain on 2026-04-28 (V2 genesis), from which the simulated chain counts. */
const GENESIS_BLOCK = 84_902_353;
const GENESIS_MS = Date.UTC(2026, 3, 28);

/** Blocks of 2 s and their transactions in chain order. Logs are decoded on demand. */
export class Chain implements ChainWorld {
  readonly first_block: number;
  private readonly seed: number;
  private readonly reached: () => number;
  private readonly toLogs: (happening: ChainHappening, wish?: LogWish) => ChainLog[];
  private readonly firstMs: number;
  private readonly txs: ChainHappening[] = [];
  private block_number = -1;
  private txIndex = 0;
  private logIndex = 0;
  /** Wallet and time of the newest transaction, if another happening may join it. */
  private open = "";

  constructor(seed: number, startMs: number, reached: () => number, toLogs: Chain["toLogs"]) {
    this.seed = seed;
    this.reached = reached;
    this.toLogs = toLogs;
    this.firstMs = Math.ceil(startMs / BLOCK_MS) * BLOCK_MS;
    this.first_block = Math.max(1, GENESIS_BLOCK + Math.floor((this.firstMs - GENESIS_MS) / BLOCK_MS));
  }

  /**
   * Allocates the next transaction at a time, with `logs` log indexes. Times must not decrease. With a wallet, returns
   * the newest transaction again if it was by the same wallet at the same time.
   */
  place(ms: number, logs: number, wallet?: number): TxPlace {
    const number = this.blockAt(ms + DELAY_MS);
    const key = wallet === undefined ? "" : `${wallet} ${ms}`;
    if (key !== "" && key === this.open) this.txIndex -= 1;
    this.open = key;
    if (number !== this.block_number) {
      this.block_number = number;
      this.txIndex = 0;
      this.logIndex = 0;
    }
    const place = {
      tx_hash: mixHex(this.seed, HASH_KIND.tx, number * 4096 + this.txIndex),
      block_number: number,
      tx_index: this.txIndex,
      block_ms: this.timeOf(number),
      first_log_index: this.logIndex,
    };
    this.txIndex += 1;
    this.logIndex += logs;
    return place;
  }

  add(happening: ChainHappening): void {
    this.txs.push(happening);
  }

  head(): number {
    return this.first_block + Math.max(0, Math.floor((this.reached() - this.firstMs) / BLOCK_MS));
  }

  block(number: number): ChainBlock | undefined {
    if (!Number.isInteger(number) || number < this.first_block || number > this.head()) return undefined;
    return {
      number,
      hash: mixHex(this.seed, HASH_KIND.block, number),
      parent_hash: mixHex(this.seed, HASH_KIND.block, number - 1),
      timestamp: this.timeOf(number) / 1000,
    };
  }

  blockAt(ms: number): number {
    return this.first_block + Math.max(0, Math.ceil((ms - this.firstMs) / BLOCK_MS));
  }

  logs(from: number, to: number, wish?: LogWish): ChainLog[] {
    return this.range(from, to).flatMap((tx) => this.toLogs(tx, wish));
  }

  transactions(number: number): Hex[] {
    return [...new Set(this.range(number, number).map((tx) => tx.tx_hash))];
  }

  private timeOf(number: number): number {
    return this.firstMs + (number - this.first_block) * BLOCK_MS;
  }

  private range(from: number, to: number): ChainHappening[] {
    const last = Math.min(to, this.head());
    const firstIn = (number: number): number => firstIndex(this.txs, number, (tx) => tx.block_number);
    return this.txs.slice(firstIn(from), firstIn(last + 1));
  }
}
