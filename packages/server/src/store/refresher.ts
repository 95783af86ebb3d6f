/** Rate-limits runs by name: often requested, seldom executed. */
export type Refresher = {
  /**
   * Runs at once and waits for it if the last run is long enough ago; otherwise one run follows soon for all callers
   * meanwhile, and none of them waits, so that a series of many small batches is not delayed.
   */
  readonly ask: (name: string) => Promise<void>;
  /** Waits for the requested runs. */
  readonly settle: () => Promise<void>;
};

const REST_FACTOR = 5;

/** At most one run per name and `periodMs`, and at most a fifth of the time if a run takes long. */
export function createRefresher(periodMs: number, run: (name: string) => Promise<void>): Refresher {
  const restUntil = new Map<string, number>();
  const waiting = new Map<string, Promise<void>>();
  const runNow = async (name: string): Promise<void> => {
    const started = performance.now();
    restUntil.set(name, Number.POSITIVE_INFINITY);
    try {
      await run(name);
    } finally {
      restUntil.set(name, performance.now() + Math.max(periodMs, (performance.now() - started) * REST_FACTOR));
    }
  };
  const runLater = async (name: string): Promise<void> => {
    while (performance.now() < (restUntil.get(name) ?? 0)) await new Promise((resolve) => setTimeout(resolve, 50));
    waiting.delete(name);
    await runNow(name);
  };
  return {
    ask: async (name) => {
      if (performance.now() >= (restUntil.get(name) ?? 0)) return runNow(name);
      // A failed reload is corrected by the next one, and by the dictionary's own lifetime.
      if (!waiting.has(name))
        waiting.set(
          name,
          runLater(name).catch(() => undefined),
        );
    },
    settle: async () => {
      await Promise.all(waiting.values());
    },
  };
}
