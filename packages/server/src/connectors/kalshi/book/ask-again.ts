const FIRST_MS = 250;
const MOST_MS = 60_000;
/** One that was not needed again so long after it was asked for begins anew. */
const CALM_MS = 60_000;

/** Markets that must be asked for again, each less and less often while that does not help. Moments are Unix ms. */
export class AskAgain {
  readonly #waiting = new Set<string>();
  readonly #history = new Map<string, { readonly dueMs: number; readonly inARow: number }>();

  need(markets: readonly string[], nowMs: number): void {
    for (const market of markets) {
      if (this.#waiting.has(market)) continue;
      const before = this.#history.get(market);
      const inARow = before !== undefined && nowMs - before.dueMs < CALM_MS ? before.inARow + 1 : 0;
      this.#history.set(market, { dueMs: nowMs + Math.min(MOST_MS, FIRST_MS * 2 ** inARow), inARow });
      this.#waiting.add(market);
    }
  }

  /** Each once. */
  takeDue(nowMs: number): readonly string[] {
    if (this.#waiting.size === 0) return [];
    const due = [...this.#waiting].filter((market) => (this.#history.get(market)?.dueMs ?? 0) <= nowMs);
    for (const market of due) this.#waiting.delete(market);
    return due;
  }

  isWaiting(market: string): boolean {
    return this.#waiting.has(market);
  }

  /** It came, or nothing more is expected of it. */
  settle(market: string): void {
    this.#waiting.delete(market);
  }

  forget(market: string): void {
    this.#waiting.delete(market);
    this.#history.delete(market);
  }
}
