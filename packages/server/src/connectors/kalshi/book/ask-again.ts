const FIRST_MS = 250;
const MOST_MS = 60_000;
/** One that was not needed again so long after it was asked for begins anew. */
const CALM_MS = 60_000;
/** By then what was asked for has come, or the request or its answer was lost. */
const ANSWER_MS = 15_000;

/**
 * Markets that must be asked for again: refused ones less and less often while that does not help, and those of which
 * nothing came. Moments are Unix ms.
 */
export class AskAgain {
  readonly #waiting = new Set<string>();
  readonly #expected = new Map<string, number>();
  readonly #history = new Map<string, { readonly dueMs: number; readonly inARow: number }>();

  need(markets: readonly string[], nowMs: number): void {
    for (const market of markets) {
      if (this.#waiting.has(market)) continue;
      const before = this.#history.get(market);
      const inARow = before !== undefined && nowMs - before.dueMs < CALM_MS ? before.inARow + 1 : 0;
      this.#history.set(market, { dueMs: nowMs + Math.min(MOST_MS, FIRST_MS * 2 ** inARow), inARow });
      this.#waiting.add(market);
      this.#expected.delete(market);
    }
  }

  /** They are asked for already, and are due again where nothing comes of it. */
  expect(markets: readonly string[], nowMs: number): void {
    for (const market of markets)
      if (!this.#waiting.has(market) && !this.#expected.has(market)) this.#expected.set(market, nowMs + ANSWER_MS);
  }

  /** They are asked for now. */
  takeDue(nowMs: number): readonly string[] {
    if (this.#waiting.size + this.#expected.size === 0) return [];
    const refused = [...this.#waiting].filter((market) => (this.#history.get(market)?.dueMs ?? 0) <= nowMs);
    const unanswered = [...this.#expected].filter(([, dueMs]) => dueMs <= nowMs).map(([market]) => market);
    const due = [...refused, ...unanswered];
    for (const market of due) {
      this.#waiting.delete(market);
      this.#expected.set(market, nowMs + ANSWER_MS);
    }
    return due;
  }

  isWaiting(market: string): boolean {
    return this.#waiting.has(market);
  }

  /** It came, or nothing more is expected of it. */
  settle(market: string): void {
    this.#waiting.delete(market);
    this.#expected.delete(market);
  }

  forget(market: string): void {
    this.settle(market);
    this.#history.delete(market);
  }
}
