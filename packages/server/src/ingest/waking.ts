import type { Batch, PullConnector, WokenBy } from "../definition/connector.ts";
import type { Clock } from "./clock.ts";
import { rowTimestamp } from "./timestamps.ts";

/** How a stream pauses between turns while another one announces rows that it will bring. */
export type Waking = {
  /** Call with announced keys. */
  readonly receive: (keys: readonly string[]) => void;
  /** Keys in the batch are no longer awaited. */
  readonly brought: (batch: Pick<Batch, "rows">) => void;
  /** When (monotonic ms) a key that had not been announced since the start was last brought. */
  readonly missedAt: () => number;
  /** Pauses between two turns for `ms`, or less while an announced key has not arrived. */
  readonly rest: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** Maximum keys awaited, and maximum remembered as received. */
const MAX_KEYS = 20_000;

/**
 * A fill is announced before it can be read. The first announcement ends a pause, and turns follow quickly until the
 * announced fills arrive, or `turns` of them were in vain. However many are announced, there is one turn at a time, at
 * least `restSeconds` after the last.
 */
export function createWaking({ column, restSeconds, cycles }: Omit<WokenBy, "stream">, clock: Clock): Waking {
  /** Key → turns begun since it was announced. */
  const awaited = new Map<string, number>();
  const known = new Set<string>();
  let wake: (() => void) | undefined;
  let missedAt = Number.NEGATIVE_INFINITY;
  const openedAt = Math.floor(clock.now() / 1000);
  const minMs = restSeconds * 1000;

  const know = (key: string): void => {
    awaited.delete(key);
    known.add(key);
    const [oldest] = known;
    if (known.size > MAX_KEYS && oldest !== undefined) known.delete(oldest);
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
    receive: (keys) => {
      for (const key of keys) if (!known.has(key) && !awaited.has(key) && awaited.size < MAX_KEYS) awaited.set(key, 0);
      if (awaited.size > 0) wake?.();
    },
    brought: ({ rows }) => {
      for (const row of rows.flatMap((each) => each.rows)) {
        const key = row[column];
        if (typeof key !== "string") continue;
        const isUnannounced = !known.has(key) && !awaited.has(key);
        if (isUnannounced && rowTimestamp(row["ts"]) >= openedAt) missedAt = clock.monotonicMs();
        know(key);
      }
    },
    missedAt: () => missedAt,
    rest: async (ms, signal) => {
      const least = Math.min(ms, minMs);
      const until = clock.monotonicMs() + least;
      for (const [key, begun] of awaited) if (begun >= cycles) know(key);
      if (awaited.size === 0) await restOrWake(ms, signal);
      const left = until - clock.monotonicMs();
      if (left > 0) await clock.sleep(left, signal);
      for (const [key, begun] of awaited) awaited.set(key, begun + 1);
    },
  };
}

/** Streams of this process that start their next turn at once when another one announces rows that they will bring. */
export type Wakes = {
  /** A stream announces these keys. */
  readonly receive: (stream: string, keys: readonly string[]) => void;
  /** When (monotonic ms) a woken stream last brought a row that this stream had not announced. */
  readonly missedAt: (stream: string) => number;
  /** For a starting stream; undefined if no stream wakes it. */
  readonly open: (connector: PullConnector, clock: Clock) => Waking | undefined;
};

export function createWakes(): Wakes {
  /** By the name of the woken stream: a restarted one replaces its old entry. */
  const waking = new Map<string, Waking & { readonly by: string }>();
  return {
    receive: (stream, keys) => {
      for (const { by, receive } of waking.values()) if (by === stream) receive(keys);
    },
    missedAt: (stream) => {
      const woken = [...waking.values()].filter(({ by }) => by === stream);
      return Math.max(Number.NEGATIVE_INFINITY, ...woken.map(({ missedAt }) => missedAt()));
    },
    open: ({ name, wokenBy }, clock) => {
      if (wokenBy === undefined) return undefined;
      const opened = createWaking(wokenBy, clock);
      waking.set(name, { ...opened, by: wokenBy.stream });
      return opened;
    },
  };
}
