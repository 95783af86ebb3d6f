import type { Micros } from "../../definition/micros.ts";

/** Sums over a window of a wallet with an event in it. */
export type BoardSums = {
  readonly trades: number;
  readonly wins: number;
  readonly losses: number;
  /** Millionths of USD. */
  readonly invested: Micros;
  readonly pnl: Micros;
  /** Subtracted from the profit. */
  readonly fees: Micros;
  /** NaN if undefined, or if the board has no returns. */
  readonly sharpe: number;
};

/** The sums with their wallet, 0x-hex. */
export type BoardRow = BoardSums & { readonly key: string };

const KEY_BYTES = 20;
const COUNTS = 3;
const REALS = 4;
const SHARPE = 3;
/** Size of a wallet here and in the order of a board. */
export const BYTES_A_WALLET =
  KEY_BYTES + COUNTS * Uint32Array.BYTES_PER_ELEMENT + REALS * Float64Array.BYTES_PER_ELEMENT + 4;

/** Sums of wallets in columns, in the order of their addresses: objects would take three times as much memory. */
export class BoardColumns {
  length = 0;
  #keys: Buffer;
  #counts: Uint32Array;
  #reals: Float64Array;
  /** Amounts that are no safe integers, by their index among the reals. */
  readonly #beyond = new Map<number, bigint>();

  constructor(capacity: number) {
    this.#keys = Buffer.alloc(capacity * KEY_BYTES);
    this.#counts = new Uint32Array(capacity * COUNTS);
    this.#reals = new Float64Array(capacity * REALS);
  }

  append({ key, trades, wins, losses, invested, pnl, fees, sharpe }: BoardRow): void {
    this.#reserve(1);
    const [row, at] = [this.length, this.length * REALS];
    this.#keys.write(key.slice(2), row * KEY_BYTES, "hex");
    this.#counts.set([trades, wins, losses], row * COUNTS);
    this.#reals.set([Number(invested), Number(pnl), Number(fees), sharpe], at);
    for (const [which, amount] of [invested, pnl, fees].entries())
      if (typeof amount === "bigint") this.#beyond.set(at + which, amount);
    this.length += 1;
  }

  /** Appends rows of others from one to before another. */
  appendFrom(others: BoardColumns, from: number, to: number): void {
    this.#reserve(to - from);
    const shift = (this.length - from) * REALS;
    this.#keys.set(others.#keys.subarray(from * KEY_BYTES, to * KEY_BYTES), this.length * KEY_BYTES);
    this.#counts.set(others.#counts.subarray(from * COUNTS, to * COUNTS), this.length * COUNTS);
    this.#reals.set(others.#reals.subarray(from * REALS, to * REALS), this.length * REALS);
    for (const [at, amount] of others.#beyond)
      if (at >= from * REALS && at < to * REALS) this.#beyond.set(at + shift, amount);
    this.length += to - from;
  }

  /** The first row whose wallet does not sort before this one. */
  placeOf(key: string): number {
    const wallet = Buffer.from(key.slice(2), "hex");
    const begin = wallet.readUInt32BE(0);
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = middle * KEY_BYTES;
      // Most addresses differ in their first bytes.
      const differs =
        this.#keys.readUInt32BE(at) - begin || this.#keys.compare(wallet, 0, KEY_BYTES, at, at + KEY_BYTES);
      if (differs < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  keyAt(row: number): string {
    return row < this.length ? `0x${this.#keys.toString("hex", row * KEY_BYTES, (row + 1) * KEY_BYTES)}` : "";
  }

  /** 0 trades, 1 wins, 2 losses. */
  countAt(row: number, which: 0 | 1 | 2): number {
    return this.#counts[row * COUNTS + which] as number;
  }

  /** 0 invested, 1 profit, 2 fees. */
  amountAt(row: number, which: 0 | 1 | 2): Micros {
    const at = row * REALS + which;
    return (this.#beyond.size > 0 ? this.#beyond.get(at) : undefined) ?? (this.#reals[at] as number);
  }

  sharpeAt(row: number): number {
    return this.#reals[row * REALS + SHARPE] as number;
  }

  #reserve(more: number): void {
    const rows = this.#counts.length / COUNTS;
    if (this.length + more <= rows) return;
    const capacity = Math.max(this.length + more, Math.ceil(rows * 1.5));
    const keys = Buffer.alloc(capacity * KEY_BYTES);
    const [counts, reals] = [new Uint32Array(capacity * COUNTS), new Float64Array(capacity * REALS)];
    keys.set(this.#keys);
    counts.set(this.#counts);
    reals.set(this.#reals);
    [this.#keys, this.#counts, this.#reals] = [keys, counts, reals];
  }
}

/** View of the sums of the row to which it was moved last. */
export class BoardView implements BoardSums {
  readonly #columns: BoardColumns;
  #row = 0;

  constructor(columns: BoardColumns) {
    this.#columns = columns;
  }

  move(row: number): this {
    this.#row = row;
    return this;
  }

  get trades(): number {
    return this.#columns.countAt(this.#row, 0);
  }

  get wins(): number {
    return this.#columns.countAt(this.#row, 1);
  }

  get losses(): number {
    return this.#columns.countAt(this.#row, 2);
  }

  get invested(): Micros {
    return this.#columns.amountAt(this.#row, 0);
  }

  get pnl(): Micros {
    return this.#columns.amountAt(this.#row, 1);
  }

  get fees(): Micros {
    return this.#columns.amountAt(this.#row, 2);
  }

  get sharpe(): number {
    return this.#columns.sharpeAt(this.#row);
  }
}
