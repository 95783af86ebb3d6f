import { BoardColumns, BoardView, BYTES_A_WALLET, type BoardRow, type BoardSums } from "./board-columns.ts";

/** Number of shown rows kept as objects, which callers use as cache keys. */
const MAX_SHOWN = 20_000;

export type RankedRow = { readonly row: BoardRow; readonly rank: number };

/** The wallets of a window by profit, ties by address. */
export class RankedWallets {
  readonly #columns: BoardColumns;
  /** Rows ordered by rank. */
  readonly #order: Uint32Array;
  readonly #shown: Map<string, BoardRow>;

  constructor(columns: BoardColumns, order = orderOf(columns), shown = new Map<string, BoardRow>()) {
    this.#columns = columns;
    this.#order = order;
    this.#shown = shown;
  }

  get bytes(): number {
    return this.#columns.length * BYTES_A_WALLET;
  }

  /** Up to `count` rows after a rank that `isKept` accepts. */
  after(rank: number, count: number, isKept: (sums: BoardSums) => boolean): RankedRow[] {
    const view = new BoardView(this.#columns);
    const found: RankedRow[] = [];
    for (let at = rank; at < this.#order.length && found.length < count; at += 1) {
      const row = this.#order[at] as number;
      if (isKept(view.move(row))) found.push({ row: this.#rowAt(row), rank: at + 1 });
    }
    return found;
  }

  /** Up to `count` rows by trades, the most first and ties by rank, after a position in that order. */
  byTrades(
    after: { readonly most: number; readonly before: number },
    count: number,
    isKept: (sums: BoardSums) => boolean,
  ): RankedRow[] {
    const view = new BoardView(this.#columns);
    const found: { readonly trades: number; readonly at: number }[] = [];
    for (let at = 0; at < this.#order.length; at += 1) {
      const sums = view.move(this.#order[at] as number);
      const { trades } = sums;
      const isAfter = trades < after.most || (trades === after.most && at >= after.before);
      if (isAfter && isKept(sums)) found.push({ trades, at });
    }
    return found
      .sort((a, b) => b.trades - a.trades || a.at - b.at)
      .slice(0, count)
      .map(({ at }) => ({ row: this.#rowAt(this.#order[at] as number), rank: at + 1 }));
  }

  row(wallet: string): BoardRow | undefined {
    const at = this.#find(wallet);
    return at === undefined ? undefined : this.#rowAt(at);
  }

  /** Returns a function that gives the sums of a wallet, valid until its next call. */
  sums(): (wallet: string) => BoardSums | undefined {
    const view = new BoardView(this.#columns);
    return (wallet) => {
      const at = this.#find(wallet);
      return at === undefined ? undefined : view.move(at);
    };
  }

  /** From 1; undefined for a wallet without events. */
  rankOf(wallet: string): number | undefined {
    const at = this.#find(wallet);
    return at === undefined ? undefined : firstFrom(this.#order, (row) => compare(this.#columns, row, at) >= 0) + 1;
  }

  /**
   * A copy with the new sums of some wallets (both lists in the order of addresses): readers of this one are not
   * affected.
   */
  renewed(changed: readonly string[], fresh: readonly BoardRow[]): RankedWallets {
    const old = this.#columns;
    const columns = new BoardColumns(old.length + fresh.length);
    /** New index of each row; -1 if removed. */
    const moved = new Int32Array(old.length).fill(-1);
    const isNew: number[] = [];
    let [from, next] = [0, 0];
    const keepUpTo = (to: number): void => {
      for (let row = from, at = columns.length; row < to; row += 1, at += 1) moved[row] = at;
      columns.appendFrom(old, from, to);
      from = to;
    };
    for (const wallet of changed) {
      const place = old.placeOf(wallet);
      keepUpTo(place);
      if (old.keyAt(place) === wallet) from += 1;
      const row = fresh[next];
      if (row?.key !== wallet) continue;
      isNew.push(columns.length);
      columns.append(row);
      next += 1;
    }
    keepUpTo(old.length);
    const without = new Set(changed);
    const shown = new Map([...this.#shown].filter(([wallet]) => !without.has(wallet)));
    return new RankedWallets(columns, mergedOrder(columns, this.#order, moved, isNew), shown);
  }

  #find(wallet: string): number | undefined {
    const at = this.#columns.placeOf(wallet);
    return this.#columns.keyAt(at) === wallet ? at : undefined;
  }

  #rowAt(at: number): BoardRow {
    const key = this.#columns.keyAt(at);
    const known = this.#shown.get(key);
    if (known !== undefined) return known;
    const { trades, wins, losses, invested, pnl, fees, sharpe } = new BoardView(this.#columns).move(at);
    const row = { key, trades, wins, losses, invested, pnl, fees, sharpe };
    if (this.#shown.size >= MAX_SHOWN) this.#shown.clear();
    this.#shown.set(key, row);
    return row;
  }
}

/** Breaks ties by row index, because rows are in the order of addresses. */
function compare(columns: BoardColumns, a: number, b: number): number {
  const [one, other] = [columns.amountAt(a, 1), columns.amountAt(b, 1)];
  return one === other ? a - b : one > other ? -1 : 1;
}

const orderOf = (columns: BoardColumns): Uint32Array =>
  Uint32Array.from({ length: columns.length }, (_, row) => row).sort((a, b) => compare(columns, a, b));

/** The previous order with the moved rows' new indexes, and new rows merged in. */
function mergedOrder(columns: BoardColumns, before: Uint32Array, moved: Int32Array, isNew: number[]): Uint32Array {
  const fresh = isNew.sort((a, b) => compare(columns, a, b));
  const order = new Uint32Array(columns.length);
  let [at, next] = [0, 0];
  for (const row of before) {
    const now = moved[row] as number;
    if (now < 0) continue;
    for (let one = fresh[next]; one !== undefined && compare(columns, one, now) < 0; one = fresh[next]) {
      order[at++] = one;
      next += 1;
    }
    order[at++] = now;
  }
  order.set(fresh.slice(next), at);
  return order;
}

function firstFrom(order: Uint32Array, isReached: (row: number) => boolean): number {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isReached(order[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}
