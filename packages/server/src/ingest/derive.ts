import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { sourcesOf, type Derivation } from "../definition/derivation.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import type { RecordsSchema } from "../records/schema.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { createDerivationQueue, type DerivationQueue } from "./derivation-queue.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";

export type DeriverOptions = {
  readonly derivations: readonly Derivation[];
  readonly store: Store;
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: IngestMetrics;
  /** Called after rows of a derived table were made anew (they do not go through `Store.insert`). */
  readonly onDerived?: (table: TableDefinition) => void;
  /** How long touched buckets are gathered before they are worked out. */
  readonly gatherMs?: number;
  /** How many buckets may wait in memory; beyond, they are looked up in the store. */
  readonly mostPending?: number;
};

export type Announce = (rows: readonly InsertRow[], left?: readonly InsertRow[]) => void;

/** Runs derivations over what is being stored. */
export type Deriver = {
  /**
   * Called before rows of a table are stored; what it returns once after, with the rows that may have been stored and
   * rows (only their moments are read) that may have been taken away.
   */
  readonly begin: (table: TableDefinition) => Announce;
  /** Works out what an earlier process stored and did not come to, then what is announced, until aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Works out everything announced so far and writes down how far that is. */
  readonly flush: () => Promise<void>;
  readonly pending: () => Readonly<Record<string, number>>;
};

const GATHER_MS = 2000;
const REST_SHARE = 4;
const MOST_WAIT_MS = 60_000;

export function createDeriver(options: DeriverOptions): Deriver {
  const begin = (table: TableDefinition): Announce => {
    const readers = queues.filter(({ derivation }) => sourcesOf(derivation).some(({ name }) => name === table.name));
    const announces = readers.map((queue) => queue.begin());
    return (rows, left) => {
      for (const announce of announces) announce(rows, left);
    };
  };
  const queues: readonly DerivationQueue[] = options.derivations.map((derivation) =>
    createDerivationQueue(derivation, {
      ...options,
      remade: begin,
      horizonOfSources: (now) => leastHorizon(makersOf(derivation, queues), now),
    }),
  );
  const gatherMs = options.gatherMs ?? GATHER_MS;
  return {
    begin,
    run: async (signal) => {
      await Promise.all(queues.map((queue) => runQueue(queue, options, gatherMs, signal)));
    },
    flush: async () => {
      // What one makes may be what another reads.
      while (queues.some((queue) => queue.size() > 0)) {
        for (const queue of queues) while (queue.size() > 0) await queue.turn();
      }
      for (const queue of queues) await queue.save(true);
    },
    pending: () => Object.fromEntries(queues.map((queue) => [queue.derivation.name, queue.size()])),
  };
}

function makersOf(derivation: Derivation, queues: readonly DerivationQueue[]): DerivationQueue[] {
  const read = new Set(sourcesOf(derivation).map(({ name }) => name));
  return queues.filter((queue) => read.has(queue.derivation.into.name));
}

function leastHorizon(queues: readonly DerivationQueue[], now: number): number | undefined {
  const horizons = queues.map((queue) => queue.horizon(now));
  return horizons.reduce(
    (least, one) => (least === undefined || one === undefined ? undefined : Math.min(least, one)),
    now,
  );
}

async function runQueue(
  queue: DerivationQueue,
  { clock, log }: DeriverOptions,
  gatherMs: number,
  signal: AbortSignal,
): Promise<void> {
  let isResumed = false;
  let failures = 0;
  while (!signal.aborted) {
    const began = clock.now();
    try {
      if (!isResumed) await queue.resume(signal);
      isResumed = true;
      await queue.turn();
      await queue.save();
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!signal.aborted) log.error({ err: error, derivation: queue.derivation.name }, "a derivation failed");
    }
    // Costly turns come seldom: at most a fifth of the time is spent on them.
    const wait = Math.max(gatherMs * 2 ** failures, REST_SHARE * (clock.now() - began));
    await clock.sleep(Math.min(wait, MOST_WAIT_MS), signal).catch(() => undefined);
  }
}
