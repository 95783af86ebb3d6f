import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { sourcesOf, type Derivation } from "../definition/derivation.ts";
import type { Fold } from "../definition/fold.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import type { RecordsSchema } from "../records/schema.ts";
import type { Store, Taken } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { createBucketQueue } from "./bucket-queue.ts";
import type { CheckpointFolder } from "./fold/checkpoints.ts";
import { createFoldQueue, createHandOver } from "./fold/fold-queue.ts";
import { readLeaving } from "./fold/touch-rows.ts";
import type { OnDerived } from "./remake.ts";
import { inOrder } from "./concurrency.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import type { Queue } from "./queue.ts";

export type DeriverOptions = {
  readonly derivations: readonly Derivation[];
  readonly folds?: readonly Fold[];
  /** Leaves folds to the ingesting process, which is notified of what was stored. */
  readonly handsFoldsOver?: boolean;
  readonly store: Store;
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: IngestMetrics;
  /** Called after rows of a derived table were rebuilt (they bypass `Store.insert`). */
  readonly onDerived?: OnDerived;
  /** Minimum time to gather touched buckets before deriving them. */
  readonly gatherMs?: number;
  /** Current venue time (Unix ms), as paper exchanges may run at another speed; `clock` when absent. */
  readonly venueNow?: () => number;
  /** Where folds keep checkpoints of their keys; in memory when absent. */
  readonly checkpoints?: CheckpointFolder;
  /** Maximum buckets queued in memory; beyond that, they are looked up in the store. */
  readonly maxPending?: number;
};

export type Announce = (rows: readonly InsertRow[], left?: readonly InsertRow[]) => void;

/** Runs derivations over rows as they are stored. */
export type Deriver = {
  /**
   * Call before storing rows of a table; call its result once after, with the rows that may have been stored and the
   * rows (only their times are read) that may have been removed.
   */
  readonly begin: (table: TableDefinition) => Announce;
  /** Call before removing rows of a table: returns the keys they belong to, as rows for `begin`'s `left`. */
  readonly leaving: (table: TableDefinition, taken: Taken) => Promise<readonly InsertRow[]>;
  /** Derives what an earlier process stored but did not derive, then what is announced, until aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /**
   * Derives everything announced so far, or what depends on rows of these tables, and saves each derivation's
   * watermark.
   */
  readonly flush: (tables?: readonly TableDefinition[]) => Promise<void>;
  /**
   * Derives what depends on removed rows of these tables, because a next start would not find it in the store, and
   * leaves the rest to `run`; the same as `flush` while `run` is not active.
   */
  readonly flushLeft: (tables: readonly TableDefinition[]) => Promise<void>;
  readonly pending: () => Readonly<Record<string, number>>;
};

/** Called by code that stores rows. */
export type Listener = Pick<Deriver, "begin" | "leaving" | "flush" | "flushLeft">;

const EVER = new AbortController().signal;

export function createDeriver(options: DeriverOptions): Deriver {
  const { derivations, folds = [], handsFoldsOver = false, clock, venueNow = clock.now } = options;
  const horizonOf = (tables: readonly TableDefinition[]) => (now: number) => minHorizon(tables, buckets, now);
  const begin = (table: TableDefinition): Announce => {
    const announces = all.filter(({ reads }) => isAmong(table, reads)).map((queue) => queue.begin(table));
    return (rows, left) => {
      for (const announce of announces) announce(rows, left);
    };
  };
  const buckets: readonly Queue[] = derivations.map((derivation) => {
    const horizonOfSources = horizonOf(sourcesOf(derivation));
    return createBucketQueue(derivation, { ...options, remade: begin, memory: new Map(), horizonOfSources });
  });
  const openFold = (fold: Fold): Queue => {
    const horizonOfSources = horizonOf(fold.from.map(({ table }) => table));
    return createFoldQueue(fold, { ...options, venueNow, horizonOfSources });
  };
  const folding = handsFoldsOver ? [] : folds.map(openFold);
  const queues = [...buckets, ...folding];
  const all = handsFoldsOver ? [...buckets, ...folds.map((fold) => createHandOver(fold, options))] : queues;
  let isRunning = false;
  const save = async (): Promise<void> => {
    for (const queue of all) await queue.save(true);
  };
  const flush: Deriver["flush"] = async (tables) => {
    const reading = tables === undefined ? queues : readersOf(tables, queues);
    // Folds are too slow to wait for: they are expedited now, and again after buckets made rows for them. A fold is no
    // further than the buckets it reads, so those are derived too.
    const expedited = folding.filter((fold) => reading.includes(fold));
    const chosen = new Set([...reading, ...withMakers(expedited, buckets)].filter((queue) => buckets.includes(queue)));
    for (const queue of expedited) queue.expedite();
    // Later announcements are left to `run`: ongoing streams would otherwise keep this waiting forever.
    for (const queue of inOrder([...chosen], readsOf)) {
      const requested = clock.now();
      while (queue.hasWaiting(requested)) await queue.cycle(EVER);
    }
    await save();
    for (const queue of expedited) queue.expedite();
  };
  const leftTo = handsFoldsOver ? [] : folds.flatMap(({ from }) => from);
  return {
    begin,
    leaving: async (table, taken) => {
      const sources = leftTo.filter((source) => source.table.name === table.name);
      return (await Promise.all(sources.map((source) => readLeaving(options.store, source, taken)))).flat();
    },
    run: async (signal) => {
      isRunning = true;
      try {
        await Promise.all(queues.map((queue) => queue.run(signal)));
      } finally {
        isRunning = false;
      }
    },
    flush,
    flushLeft: async (tables) => {
      if (!isRunning) return flush(tables);
      for (const queue of inOrder(readersOf(tables, buckets), readsOf)) while (queue.hasLeft()) await queue.cycle(EVER);
      await save();
    },
    pending: () => Object.fromEntries(queues.map((queue) => [queue.name, queue.size()])),
  };
}

const readsOf = (one: Queue, other: Queue): boolean => other.makes.some((table) => isAmong(table, one.reads));

const isAmong = ({ name }: TableDefinition, tables: readonly TableDefinition[]): boolean =>
  tables.some((one) => one.name === name);

/** The least horizon of the queues that make one of these tables. */
function minHorizon(tables: readonly TableDefinition[], queues: readonly Queue[], now: number): number | undefined {
  const makers = queues.filter(({ makes }) => makes.some((table) => isAmong(table, tables)));
  const horizons = makers.map((queue) => queue.horizon(now));
  return horizons.some((one) => one === undefined) ? undefined : Math.min(now, ...horizons.map((one) => one ?? now));
}

/** Queues whose derivations read one of these tables, directly or through another derivation. */
const readersOf = (tables: readonly TableDefinition[], queues: readonly Queue[]): Queue[] =>
  withAll(
    queues.filter(({ reads }) => reads.some((table) => isAmong(table, tables))),
    (one) => queues.filter((queue) => readsOf(queue, one)),
  );

/** These queues and, transitively, those that make what they read. */
const withMakers = (readers: readonly Queue[], queues: readonly Queue[]): Queue[] =>
  withAll(readers, (one) => queues.filter((queue) => readsOf(one, queue)));

/** These queues and all that are reachable from them. */
function withAll(first: readonly Queue[], next: (queue: Queue) => readonly Queue[]): Queue[] {
  const found = new Set(first);
  // Iterating a set also visits elements added meanwhile.
  for (const one of found) for (const queue of next(one)) found.add(queue);
  return [...found];
}
