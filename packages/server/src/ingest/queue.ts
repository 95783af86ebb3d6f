import type { InsertRow, TableDefinition } from "../definition/table.ts";
import type { Backlog } from "./backlog.ts";
import { findDerivedThrough, moveThrough } from "./control/derivation-record.ts";
import type { Announce, DeriverOptions } from "./derive.ts";
import { every } from "./clock.ts";
import { createHurry } from "./hurry.ts";
import { STAMP_MARGIN_MS } from "./moments.ts";
import { turns } from "./turns.ts";

/** One derivation's work, by buckets or a fold: what is announced, worked out in turns. */
export type Queue = {
  readonly name: string;
  readonly reads: readonly TableDefinition[];
  readonly makes: readonly TableDefinition[];
  readonly begin: (table: TableDefinition) => Announce;
  /** Works out what was stored since the moment written down last. */
  readonly resume: (signal: AbortSignal) => Promise<void>;
  /** Works out some of what waits. */
  readonly turn: (signal: AbortSignal) => Promise<void>;
  /** Catches up with what an earlier process left, then turn after turn until aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Its turns follow each other without the rest that costly ones have, until all that waits now is worked out. */
  readonly hurry: () => void;
  /** Writes down up to when everything stored was worked out. */
  readonly save: (isLast?: boolean) => Promise<void>;
  /**
   * Up to when (Unix ms) everything stored was worked out, by its sources too; undefined before it has caught up with
   * what an earlier process left.
   */
  readonly horizon: (now: number) => number | undefined;
  readonly size: () => number;
  /** Whether something waits that was stored up to a moment (Unix ms). */
  readonly hasWaiting: (upTo: number) => boolean;
  /** Whether something waits that rows touched which were taken away: no look-up in the store would find it. */
  readonly hasLeft: () => boolean;
};

/** What one kind of derivation does with a queue. */
export type QueueWork<Thing> = Pick<Queue, "name" | "reads" | "makes"> & {
  readonly backlog: Backlog<Thing>;
  /** With more waiting than this, what comes is looked up in the store afterwards. */
  readonly mostPending: number;
  /** How long touched things are gathered before they are worked out, at least. */
  readonly gatherSeconds?: number | undefined;
  /** What rows touch, beginning with those that left: these are in no row that a look-up in the store would find. */
  readonly touched: (table: TableDefinition, rows: readonly InsertRow[], left: readonly InsertRow[]) => Iterable<Thing>;
  readonly isLeft?: (thing: Thing) => boolean;
  /** Works out what was stored since `found`, all where that is undefined. Gives the moment that the records have then. */
  readonly resume: (found: Date | undefined, signal: AbortSignal) => Promise<Date | undefined>;
  readonly turn: (signal: AbortSignal) => Promise<void>;
  /** Told of the moment that is about to be written down. */
  readonly leaveAt?: (through: Date) => void;
  /** Whether something is left to do beside what waits. */
  readonly isBehind?: (isResumed: boolean) => boolean;
};

export type QueueOptions = Pick<DeriverOptions, "store" | "db" | "clock" | "metrics" | "log" | "mostPending"> & {
  readonly gatherMs?: number | undefined;
  /** Of the derivations that make its sources: what those have not come to cannot be worked out here either. */
  readonly horizonOfSources: (now: number) => number | undefined;
};

const GATHER_MS = 2000;
const MOST_WAIT_MS = 60_000;
const SAVE_EVERY_MS = 5000;

export function createQueue<Thing>(work: QueueWork<Thing>, options: QueueOptions): Queue {
  const { name, backlog } = work;
  const { clock, log, mostPending = work.mostPending, gatherMs = GATHER_MS } = options;
  const place = createPlace(work, options);
  const hurrying = createHurry(clock, gatherMs, (upTo) => backlog.oldestWaiting() <= upTo);
  let turning: Promise<void> = Promise.resolve();

  const announce = (
    table: TableDefinition,
    rows: readonly InsertRow[],
    left: readonly InsertRow[],
    at: number,
  ): void => {
    const isFull = rows.length > 0 && backlog.size() >= mostPending;
    if (isFull) backlog.lookUp(at);
    try {
      backlog.add(work.touched(table, isFull ? [] : rows, left), at);
    } catch (error) {
      backlog.lookUp(at);
      log.error({ err: error, derivation: name }, "a row could not be read; it is looked up in the store");
    }
  };
  const turn = (signal: AbortSignal): Promise<void> => {
    const next = turning.then(() => work.turn(signal));
    turning = next.catch(() => undefined);
    return next;
  };
  return {
    name,
    reads: work.reads,
    makes: work.makes,
    resume: place.resume,
    turn,
    save: place.save,
    horizon: place.horizon,
    begin: (table) => {
      const storing = backlog.begin();
      return (rows, left = []) => {
        announce(table, rows, left, storing.at);
        storing.end();
      };
    },
    run: (signal) => {
      // A command may have worked out in its place since the last run.
      let isResumed = false;
      const everyMs = Math.max(gatherMs, (work.gatherSeconds ?? 0) * 1000);
      const failed = { log, labels: { derivation: name }, message: "a derivation failed", backsOff: true } as const;
      const { rest } = hurrying;
      return every({ clock, signal, everyMs, firstMs: 0, mostMs: MOST_WAIT_MS, failed, rest }, async () => {
        if (!isResumed || !place.isKnown()) await place.resume(signal);
        isResumed = true;
        await turn(signal);
        await place.save(hurrying.isOver());
      });
    },
    hurry: hurrying.hurry,
    hasWaiting: (upTo) => backlog.oldestWaiting() <= upTo,
    hasLeft: () => work.isLeft !== undefined && backlog.has(work.isLeft),
    size: () => backlog.size() + (backlog.isToLookUp() || work.isBehind?.(place.isKnown()) === true ? 1 : 0),
  };
}

/** Up to when everything stored is worked out, as the records have it. */
function createPlace<Thing>(
  { name, backlog, leaveAt, ...work }: QueueWork<Thing>,
  { db, clock, horizonOfSources }: QueueOptions,
) {
  let saved: { readonly through: Date | undefined } | undefined;
  let savedAt = Number.NEGATIVE_INFINITY;
  const horizon = (now: number): number | undefined => {
    const ofSources = horizonOfSources(now);
    return saved === undefined || ofSources === undefined ? undefined : Math.min(ofSources, backlog.oldest(now));
  };
  const save = async (isLast: boolean): Promise<void> => {
    const [now, nowMs] = [clock.now(), clock.monotonicMs()];
    const through = horizon(now);
    if (saved === undefined || through === undefined || (!isLast && nowMs - savedAt < SAVE_EVERY_MS)) return;
    const to = new Date(through - STAMP_MARGIN_MS);
    leaveAt?.(to);
    // Where it is not what was saved, another process stored rows and left them to this one: they are looked up.
    const isMoved = await moveThrough(db, name, { from: saved.through, to }, new Date(now));
    saved = isMoved ? { through: to } : undefined;
    savedAt = nowMs;
  };
  // Two that moved it at once would take each other for another process.
  const oneByOne = turns(1);
  return {
    isKnown: (): boolean => saved !== undefined,
    horizon,
    resume: async (signal: AbortSignal): Promise<void> => {
      const found = await oneByOne(() => {
        saved = undefined;
        return findDerivedThrough(db, name);
      });
      saved = { through: await work.resume(found, signal) };
    },
    save: (isLast = false): Promise<void> => oneByOne(() => save(isLast)),
  };
}
