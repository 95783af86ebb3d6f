import type { Logger } from "pino";
import type { RedisMetrics } from "./redis-metrics.ts";

/** Whether Redis answers, as far as its answers so far tell. */
export type Presence = {
  readonly isHere: () => boolean;
  /** It answered. */
  readonly answered: () => void;
  /** It did not, or not in time; `isConnected` where there is a connection still. */
  readonly failed: (isConnected: boolean) => void;
  /** Why something failed, for the log. */
  readonly note: (error: unknown) => void;
  /** Says that it is away, where nothing else will. */
  readonly sayAway: () => void;
};

export type PresenceOptions = { readonly log: Pick<Logger, "warn" | "info">; readonly metrics: RedisMetrics };

/** Failures only for so long: Redis counts as away. One pause of this process makes many answers late at once. */
const FAILING_MS = 150;

/** Away until it answers for the first time. Each change is said once. */
export function createPresence({ log, metrics }: PresenceOptions): Presence {
  let isHere = false;
  let failingSince: number | undefined;
  let why = "no connection";
  const sayAway = (): void =>
    log.warn({ why }, "Redis does not answer: each process keeps its limits by itself until it does");
  return {
    isHere: () => isHere,
    sayAway,
    answered: () => {
      failingSince = undefined;
      if (isHere) return;
      isHere = true;
      metrics.here(true);
      log.info("Redis answers: limits are shared between processes");
    },
    failed: (isConnected) => {
      const now = performance.now();
      failingSince ??= now;
      if (!isHere || (isConnected && now - failingSince < FAILING_MS)) return;
      isHere = false;
      metrics.here(false);
      sayAway();
    },
    // An error of ioredis can carry the command it was about, AUTH with its password too: only its message is told.
    note: (error) => {
      why = error instanceof Error ? error.message : String(error);
    },
  };
}
