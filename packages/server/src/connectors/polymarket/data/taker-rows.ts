import type { DataTrade } from "./data-trade.ts";
import { fillKey } from "./fill-key.ts";

/**
 * The taker-only feed, read beside the full one and no further than needed, to tell takers from makers: its rows are
 * exactly the takers' fills (reference/polymarket.md §5.3).
 */
export class TakerRows {
  readonly #pages: AsyncIterator<readonly DataTrade[]>;
  readonly #counts = new Map<number, Map<string, number>>();
  #oldest: number | undefined;
  #newest: number | undefined;
  #isAtEnd = false;

  constructor(pages: AsyncIterable<readonly DataTrade[]>) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  /** The newest second seen; undefined while nothing was. */
  get newest(): number | undefined {
    return this.#newest;
  }

  /** Reads on until every taker of `seconds` and later is known, as far as the feed goes. */
  async readTo(seconds: number): Promise<void> {
    while (!this.#isAtEnd && (this.#oldest === undefined || this.#oldest >= seconds)) {
      const next = await this.#pages.next();
      if (next.done === true) this.#isAtEnd = true;
      else for (const row of next.value) this.#note(row);
    }
  }

  /** The role of a row of the full feed; every taker's row is given out once. */
  roleOf(trade: DataTrade): "maker" | "taker" {
    const second = this.#counts.get(trade.seconds);
    const key = fillKey(trade);
    const count = second?.get(key) ?? 0;
    if (count === 0) return "maker";
    second?.set(key, count - 1);
    return "taker";
  }

  /** Forgets seconds that are done with. */
  forget(from: number): void {
    for (const second of this.#counts.keys()) if (second >= from) this.#counts.delete(second);
  }

  #note(row: DataTrade): void {
    this.#newest = Math.max(this.#newest ?? 0, row.seconds);
    this.#oldest = Math.min(this.#oldest ?? Infinity, row.seconds);
    const second = this.#counts.get(row.seconds) ?? new Map<string, number>();
    second.set(fillKey(row), (second.get(fillKey(row)) ?? 0) + 1);
    this.#counts.set(row.seconds, second);
  }
}
