import { LRUCache } from "lru-cache";
import type { CacheOutcome } from "./cache-metrics.ts";

export type Kept<T extends object> = {
  readonly joined: (key: string, stamp: string, ask: () => Promise<T>) => Promise<T>;
};

/**
 * Joins identical questions that are in flight, and keeps an answer while the tables it was read from have not
 * changed, for `maxAgeMs` at the most (another process may write to the same store).
 */
export function openCache<T extends object>(
  sizeOf: (value: T) => number,
  maxBytes: number,
  maxAgeMs: number,
  count: (outcome: CacheOutcome) => void = () => undefined,
): Kept<T> {
  const kept = new LRUCache<string, { stamp: string; value: T }>({
    maxSize: maxBytes,
    ttl: maxAgeMs,
    sizeCalculation: (entry) => Math.max(1, sizeOf(entry.value)),
  });
  const inFlight = new Map<string, Promise<T>>();
  return {
    joined: (key, stamp, ask) => {
      const found = kept.get(key);
      if (found && found.stamp === stamp) {
        count("kept");
        return Promise.resolve(found.value);
      }
      const flight = `${stamp} ${key}`;
      const running = inFlight.get(flight);
      count(running ? "joined" : "asked");
      if (running) return running;
      const asked = ask()
        .then((value) => {
          kept.set(key, { stamp, value });
          return value;
        })
        .finally(() => inFlight.delete(flight));
      inFlight.set(flight, asked);
      return asked;
    },
  };
}
