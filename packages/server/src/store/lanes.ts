import { Pool } from "undici";

/** Kinds of senders of statements. Each has its own connections, so that none waits for one that another saturates. */
export type Lane = "work" | "questions" | "readiness";

const CONNECTIONS: Readonly<Record<Lane, number>> = { work: 32, questions: 32, readiness: 2 };

export type Lanes = {
  readonly of: (lane?: Lane) => Pool;
  /** Waits for the statements in progress in all lanes. */
  readonly close: () => Promise<void>;
  readonly cut: () => void;
};

/**
 * Closes idle connections long before the engine does (after 60 s), so that no statement meets one that is being
 * closed, even if this process was busy for seconds and closes late. Without the second line the engine's own hint
 * would override the first.
 */
export const closeIdle = (afterMs: number = 8_000) => ({
  keepAliveTimeout: afterMs,
  keepAliveMaxTimeout: afterMs,
});

/** The connections to an engine, opened when first needed. */
export function openLanes(origin: string, idleMs?: number): Lanes {
  const open = (lane: Lane): Pool =>
    new Pool(origin, {
      connections: CONNECTIONS[lane],
      pipelining: 1,
      ...closeIdle(idleMs),
      headersTimeout: 600_000,
      bodyTimeout: 600_000,
    });
  const pools: Readonly<Record<Lane, Pool>> = {
    work: open("work"),
    questions: open("questions"),
    readiness: open("readiness"),
  };
  const all = Object.values(pools);
  return {
    of: (lane = "work") => pools[lane],
    close: async () => {
      await Promise.all(all.filter((pool) => !pool.destroyed).map((pool) => pool.close()));
    },
    cut: () => {
      for (const pool of all) void pool.destroy();
    },
  };
}
