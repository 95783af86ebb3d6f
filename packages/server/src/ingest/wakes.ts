import type { PullConnector } from "../definition/connector.ts";
import type { Clock } from "./clock.ts";
import { createWaking, type Waking } from "./waking.ts";

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
