const FIRST_MS = 250;
const MAX_MS = 60_000;
/** After this long without another need the backoff starts over. */
const CALM_MS = 60_000;
/** Initial wait for an answer, after which the request or its answer counts as lost. */
const ANSWER_MS = 15_000;
const MAX_ANSWER_MS = 960_000;

/**
 * Markets whose snapshot must be requested again: refused ones, and those that got no answer, each with a growing
 * backoff. Times are Unix ms.
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
      this.#history.set(market, { dueMs: nowMs + Math.min(MAX_MS, FIRST_MS * 2 ** inARow), inARow });
      this.#waiting.add(market);
      this.#expected.delete(market);
    }
  }

  /** Marks them as requested; they become due again if no answer comes. */
  expect(markets: readonly string[], nowMs: number): void {
    for (const market of markets)
      if (!this.#waiting.has(market) && !this.#expected.has(market)) this.#await(market, nowMs, ANSWER_MS);
  }

  /** Returns the markets to request now and marks them as requested. */
  takeDue(nowMs: number): readonly string[] {
    if (this.#waiting.size + this.#expected.size === 0) return [];
    const refused = [...this.#waiting].filter((market) => (this.#history.get(market)?.dueMs ?? 0) <= nowMs);
    const unanswered = [...this.#expected].filter(([, { dueMs }]) => dueMs <= nowMs);
    for (const market of refused) {
      this.#waiting.delete(market);
      this.#await(market, nowMs, ANSWER_MS);
    }
    for (const [market, { waitMs }] of unanswered) this.#await(market, nowMs, Math.min(MAX_ANSWER_MS, waitMs * 2));
    return [...refused, ...unanswered.map(([market]) => market)];
  }

  isWaiting(market: string): boolean {
    return this.#waiting.has(market);
  }

  /** The snapshot came, or none is expected any more. */
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
