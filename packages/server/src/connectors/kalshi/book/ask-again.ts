const FIRST_MS = 250;
const MOST_MS = 60_000;
/** One that was not needed again so long after it was asked for begins anew. */
const CALM_MS = 60_000;
/** By then what was asked for has come, or the request or its answer was lost; so long is waited the first time. */
const ANSWER_MS = 15_000;
const MOST_ANSWER_MS = 960_000;

/**
 * Markets that must be asked for again: refused ones, and those of which nothing came, both less and less often while that
 * does not help. Moments are Unix ms.
 */
export class AskAgain {
  readonly #waiting = new Set<string>();
  readonly #expected = new Map<string, { readonly dueMs: number; readonly waitMs: number }>();
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
      if (!this.#waiting.has(market) && !this.#expected.has(market)) this.#await(market, nowMs, ANSWER_MS);
  }

  /** They are asked for now. */
  takeDue(nowMs: number): readonly string[] {
    if (this.#waiting.size + this.#expected.size === 0) return [];
    const refused = [...this.#waiting].filter((market) => (this.#history.get(market)?.dueMs ?? 0) <= nowMs);
    const unanswered = [...this.#expected].filter(([, { dueMs }]) => dueMs <= nowMs);
    for (const market of refused) {
      this.#waiting.delete(market);
      this.#await(market, nowMs, ANSWER_MS);
    }
    for (const [market, { waitMs }] of unanswered) this.#await(market, nowMs, Math.min(MOST_ANSWER_MS, waitMs * 2));
    return [...refused, ...unanswered.map(([market]) => market)];
  }

  isWaiting(market: string): boolean {
    return this.#waiting.has(market);
  }

  /** It came, or nothing more is expected of it. */
  settle(market: string): void {
    this.#waiting.delete(market);
    this.#expected.delete(market);
  }

  #await(market: string, nowMs: number, waitMs: number): void {
    this.#expected.set(market, { dueMs: nowMs + waitMs, waitMs });
  }

  forget(market: string): void {
    this.settle(market);
    this.#history.delete(market);
  }
}
