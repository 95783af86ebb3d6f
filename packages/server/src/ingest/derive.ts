import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { sourcesOf, type Derivation } from "../definition/derivation.ts";
import type { Fold } from "../definition/fold.ts";
import type { LeftSpan } from "../definition/left-span.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import type { RecordsSchema } from "../records/schema.ts";
import type { Store, Taken } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { createDerivationQueue, type DerivationQueue } from "./derivation-queue.ts";
import type { CheckpointFolder } from "./fold/checkpoints.ts";
import { createFoldQueue, type FoldQueue } from "./fold/fold-queue.ts";
import { createHandOver, type HandOver } from "./fold/hand-over.ts";
import { readLeaving } from "./fold/read-leaving.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { REST_SHARE } from "./rest-share.ts";

export type DeriverOptions = {
  readonly derivations: readonly Derivation[];
  readonly folds?: readonly Fold[];
  /** Leaves folds to the process that gathers: they are told what was stored. */
  readonly handsFoldsOver?: boolean;
  readonly store: Store;
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: IngestMetrics;
  /** Called after rows of a derived table were made anew (they do not go through `Store.insert`). */
  readonly onDerived?: (table: TableDefinition, left?: readonly LeftSpan[]) => void;
  /** How long touched buckets are gathered before they are worked out, at least. */
  readonly gatherMs?: number;
  /** Now by the venues' clock (Unix ms), where paper exchanges run at another speed; `clock` when absent. */
  readonly venueNow?: () => number;
  /** What folds keep of their keys; in memory when absent. */
  readonly checkpoints?: CheckpointFolder;
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
  /** Before rows of a table are taken away: whom they belong to, as rows for `begin`'s `left`. */
  readonly leaving: (table: TableDefinition, taken: Taken) => Promise<readonly InsertRow[]>;
  /** Works out what an earlier process stored and did not come to, then what is announced, until aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /**
   * Works out everything announced so far, or what hangs on rows of these tables, and writes down how far each
   * derivation is.
   */
  readonly flush: (tables?: readonly TableDefinition[]) => Promise<void>;
  readonly pending: () => Readonly<Record<string, number>>;
};

/** What those who store rows tell what they store. */
export type Listener = Pick<Deriver, "begin" | "leaving" | "flush">;

const GATHER_MS = 2000;
const MOST_WAIT_MS = 60_000;

export function createDeriver(options: DeriverOptions): Deriver {
  const begin = (table: TableDefinition): Announce => {
    const readers = queues.filter(({ derivation }) => sourcesOf(derivation).some(({ name }) => name === table.name));
    const announces = [...readers.map((queue) => queue.begin()), ...[...folds, ...left].map((one) => one.begin(table))];
    return (rows, left) => {
      for (const announce of announces) announce(rows, left);
    };
  };
  const queues: readonly DerivationQueue[] = options.derivations.map((derivation) =>
    createDerivationQueue(derivation, {
      ...options,
      remade: begin,
      memory: new Map(),
      horizonOfSources: (now) => leastHorizon(makersOf(sourcesOf(derivation), queues), now),
    }),
  );
  const [folds, left] = openFolds(options, (tables, now) => leastHorizon(makersOf(tables, queues), now));
  const gatherMs = options.gatherMs ?? GATHER_MS;
  return {
    begin,
    leaving: async (table, taken) => {
      const sources = folds.flatMap(({ fold }) => fold.from.filter((source) => source.table.name === table.name));
      return (await Promise.all(sources.map((source) => readLeaving(options.store, source, taken)))).flat();
    },
    run: async (signal) => {
      await Promise.all([
        ...queues.map((queue) =>
          runQueue(queue.derivation.name, turnsOf(queue), options, gatherOf(queue.derivation, gatherMs), signal),
        ),
        ...folds.map((queue) =>
          runQueue(queue.fold.name, turnsOf(queue), options, gatherOf(queue.fold, gatherMs), signal),
        ),
      ]);
    },
    flush: async (tables) => {
      const chosen = tables === undefined ? queues : readersOf(tables, queues);
      // What one makes may be what another reads.
      while (chosen.some((queue) => queue.size() > 0)) {
        for (const queue of chosen) while (queue.size() > 0) await queue.turn();
      }
      // Folds cost too much to be worked out at each call: they write down what they have not come to.
      for (const queue of [...queues, ...folds, ...left]) await queue.save(true);
    },
    pending: () =>
      Object.fromEntries([
        ...queues.map((queue) => [queue.derivation.name, queue.size()]),
        ...folds.map((queue) => [queue.fold.name, queue.size()]),
      ]),
  };
}

type Horizon = (tables: readonly TableDefinition[], now: number) => number | undefined;

function openFolds(options: DeriverOptions, horizon: Horizon): [readonly FoldQueue[], readonly HandOver[]] {
  const { folds = [], handsFoldsOver, clock, venueNow = clock.now } = options;
  if (handsFoldsOver) return [[], folds.map((fold) => createHandOver(fold, options))];
  const open = (fold: Fold): FoldQueue => {
    const tables = fold.from.map(({ table }) => table);
    return createFoldQueue(fold, { ...options, venueNow, horizonOfSources: (now) => horizon(tables, now) });
  };
  return [folds.map(open), []];
}

function makersOf(tables: readonly TableDefinition[], queues: readonly DerivationQueue[]): DerivationQueue[] {
  const read = new Set(tables.map(({ name }) => name));
  return queues.filter((queue) => read.has(queue.derivation.into.name));
}

function leastHorizon(queues: readonly DerivationQueue[], now: number): number | undefined {
  const horizons = queues.map((queue) => queue.horizon(now));
  return horizons.some((one) => one === undefined) ? undefined : Math.min(now, ...horizons.map((one) => one ?? now));
}

const gatherOf = ({ gatherSeconds = 0 }: Pick<Derivation | Fold, "gatherSeconds">, gatherMs: number): number =>
  Math.max(gatherMs, gatherSeconds * 1000);

type Turns = (signal: AbortSignal) => Promise<void>;

/** Catches up with what an earlier process left, then turn after turn. */
function turnsOf(queue: DerivationQueue | FoldQueue): Turns {
  let isResumed = !("resume" in queue);
  return async (signal) => {
    if (!isResumed && "resume" in queue) await queue.resume(signal);
    isResumed = true;
    await queue.turn(signal);
    await queue.save();
  };
}

async function runQueue(
  name: string,
  turns: Turns,
  { clock, log }: DeriverOptions,
  gatherMs: number,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const began = clock.now();
    try {
      await turns(signal);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!signal.aborted) log.error({ err: error, derivation: name }, "a derivation failed");
    }
    // Costly turns come seldom: at most a fifth of the time is spent on them.
    const wait = Math.max(gatherMs * 2 ** failures, REST_SHARE * (clock.now() - began));
    await clock.sleep(Math.min(wait, MOST_WAIT_MS), signal).catch(() => undefined);
  }
}

/** The queues whose derivations read one of these tables, or what another one makes of them. */
function readersOf(
  tables: Iterable<{ readonly name: string }>,
  queues: readonly DerivationQueue[],
): readonly DerivationQueue[] {
  const names = new Set([...tables].map(({ name }) => name));
  for (;;) {
    const found = queues.filter(({ derivation }) => sourcesOf(derivation).some(({ name }) => names.has(name)));
    const known = names.size;
    for (const { derivation } of found) names.add(derivation.into.name);
    if (names.size === known) return found;
  }
}
