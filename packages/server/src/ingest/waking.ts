import type { Batch, PullConnector, WokenBy } from "../definition/connector.ts";
import type { Clock } from "./clock.ts";

/** How one stream waits between its turns while another one hears of what it will bring. */
export type Waking = {
  /** Keys were heard of. */
  readonly hear: (keys: readonly string[]) => void;
  /** What a batch brought is not waited for. */
  readonly brought: (batch: Pick<Batch, "rows">) => void;
  /** Waits from one turn to the next: `ms`, or less while something is heard of that no turn brought. */
  readonly rest: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** Keys that are waited for, or remembered as brought, at the most. */
const MOST_KEYS = 20_000;

/**
 * A fill is announced before it can be read. The first announcement ends a rest, and turns follow each other quickly
 * until what was announced is there, or `turns` of them were in vain. However much is announced: one turn at a time,
 * and none sooner than `restSeconds` after the last.
 */
export function createWaking({ column, restSeconds, turns }: Omit<WokenBy, "stream">, clock: Clock): Waking {
  /** By key how many turns were begun since it was heard of. */
  const awaited = new Map<string, number>();
  const known = new Set<string>();
  let wake: (() => void) | undefined;
  const leastMs = restSeconds * 1000;

  const know = (key: string): void => {
    awaited.delete(key);
    known.add(key);
    const [oldest] = known;
    if (known.size > MOST_KEYS && oldest !== undefined) known.delete(oldest);
  };
  const restOrWake = async (ms: number, signal: AbortSignal): Promise<void> => {
    const woken = new AbortController();
    wake = () => woken.abort();
    try {
      await clock.sleep(ms, AbortSignal.any([signal, woken.signal]));
    } catch {
      signal.throwIfAborted();
    } finally {
      wake = undefined;
    }
  };
  return {
    hear: (keys) => {
      for (const key of keys) if (!known.has(key) && !awaited.has(key) && awaited.size < MOST_KEYS) awaited.set(key, 0);
      if (awaited.size > 0) wake?.();
    },
    brought: ({ rows }) => {
      for (const row of rows.flatMap((each) => each.rows)) {
        const key = row[column];
        if (typeof key === "string") know(key);
      }
    },
    rest: async (ms, signal) => {
      const least = Math.min(ms, leastMs);
      const until = clock.monotonicMs() + least;
      for (const [key, begun] of awaited) if (begun >= turns) know(key);
      if (awaited.size === 0) await restOrWake(ms, signal);
      const left = until - clock.monotonicMs();
      if (left > 0) await clock.sleep(left, signal);
      for (const [key, begun] of awaited) awaited.set(key, begun + 1);
    },
  };
}

/** Streams of this process that take their next turn at once when another one hears of what they will bring. */
export type Wakes = {
  /** A stream heard of these keys. */
  readonly hear: (stream: string, keys: readonly string[]) => void;
  /** For a stream that begins to run; undefined for one that nothing wakes. */
  readonly open: (connector: PullConnector, clock: Clock) => Waking | undefined;
};

export function createWakes(): Wakes {
  /** By the name of the stream that is woken: one that is started again has its old place. */
  const waking = new Map<string, Waking & { readonly by: string }>();
  return {
    hear: (stream, keys) => {
      for (const { by, hear } of waking.values()) if (by === stream) hear(keys);
    },
    open: ({ name, wokenBy }, clock) => {
      if (wokenBy === undefined) return undefined;
      const opened = createWaking(wokenBy, clock);
      waking.set(name, { ...opened, by: wokenBy.stream });
      return opened;
    },
  };
}
