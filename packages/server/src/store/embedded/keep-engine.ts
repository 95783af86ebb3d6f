import { setTimeout as sleep } from "node:timers/promises";
import type { Engine } from "./start-engine.ts";

/** Engine lifecycle events, for the log. */
export type EngineNews =
  | { readonly kind: "ended" }
  | { readonly kind: "not_started"; readonly tried: number; readonly error: unknown }
  | { readonly kind: "started"; readonly pid: number };

export type KeptEngine = {
  /** The reason why it does not answer now; undefined while it runs. */
  readonly trouble: () => string | undefined;
  /** Resolves when it ended and could not be restarted. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
};

type Options = {
  /** Starts another engine; throws if that fails. */
  readonly start: (signal: AbortSignal) => Promise<Engine>;
  /** Called immediately when an engine ended. */
  readonly onEnded: () => void;
  /** Called when a new engine listens; it counts as started once this resolves. */
  readonly onStarted: (engine: Engine) => Promise<void>;
  readonly report: (news: EngineNews) => void;
};

const TRIES = 5;
const FIRST_WAIT_MS = 250;
/** An engine that ends earlier than this counts as a failed attempt, so that it is not restarted endlessly. */
const HEALTHY_MS = 60_000;

/** Restarts the engine whenever it ends by itself, with increasing waits, until five attempts in a row failed. */
export function keepEngine(first: Engine, { start, onEnded, onStarted, report }: Options): KeptEngine {
  const stopping = new AbortController();
  const { promise: ended, resolve: giveUp } = Promise.withResolvers<void>();
  let current: Engine | undefined = first;
  let tried = 0;

  const startAgain = async (): Promise<void> => {
    while (tried < TRIES && !stopping.signal.aborted) {
      await sleep(FIRST_WAIT_MS * 2 ** tried, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      tried += 1;
      let engine: Engine | undefined;
      try {
        engine = await start(stopping.signal);
        await onStarted(engine);
        stopping.signal.throwIfAborted();
        current = engine;
        report({ kind: "started", pid: engine.pid });
        return;
      } catch (error) {
        await engine?.stop();
        if (!stopping.signal.aborted) report({ kind: "not_started", tried, error });
      }
    }
  };
  const keep = async (): Promise<void> => {
    while (current !== undefined) {
      const began = performance.now();
      await current.ended;
      if (stopping.signal.aborted) return;
      current = undefined;
      onEnded();
      report({ kind: "ended" });
      if (performance.now() - began >= HEALTHY_MS) tried = 0;
      await startAgain();
    }
    if (!stopping.signal.aborted) giveUp();
  };
  const kept = keep();
  return {
    trouble: () => {
      if (current !== undefined) return undefined;
      return `the column engine ended and is restarting (try ${Math.min(tried + 1, TRIES)} of ${TRIES})`;
    },
    ended,
    stop: async () => {
      stopping.abort(new Error("the store closes"));
      await current?.stop();
      await kept;
    },
  };
}
