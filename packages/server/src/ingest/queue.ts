import type { InsertRow, TableDefinition } from "../definition/table.ts";
import type { Backlog } from "./backlog.ts";
import { findDerivedThrough, moveThrough } from "./control/derivation-record.ts";
import type { Announce, DeriverOptions } from "./derive.ts";
import { every } from "./clock.ts";
import { createExpedite } from "./expedite.ts";
import { STAMP_MARGIN_MS } from "./timestamps.ts";
import { createLimiter } from "./concurrency.ts";

/** Work queue of one derivation (by buckets or a fold): announced items, derived in turns. */
export type Queue = {
  readonly name: string;
  readonly reads: readonly TableDefinition[];
  readonly makes: readonly TableDefinition[];
  readonly begin: (table: TableDefinition) => Announce;
  /** Derives what was stored since the saved watermark. */
  readonly resume: (signal: AbortSignal) => Promise<void>;
  /** Derives some of the queued items. */
  readonly cycle: (signal: AbortSignal) => Promise<void>;
  /** Catches up with what an earlier process left, then runs turn after turn until aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Runs turns without the pause after costly ones, until everything queued now is derived. */
  readonly expedite: () => void;
  /** Saves the watermark up to which everything stored is derived. */
  readonly save: (isLast?: boolean) => Promise<void>;
  /**
   * Time (Unix ms) up to which everything stored is derived, by its sources too; undefined until it has caught up with
   * what an earlier process left.
   */
  readonly horizon: (now: number) => number | undefined;
  readonly size: () => number;
  /** Whether anything stored up to a time (Unix ms) is queued. */
  readonly hasWaiting: (upTo: number) => boolean;
  /** Whether an item touched by removed rows is queued: no lookup in the store would find it. */
  readonly hasLeft: () => boolean;
};

/** The part of a queue specific to one kind of derivation. */
export type QueueWork<Thing> = Pick<Queue, "name" | "reads" | "makes"> & {
  readonly backlog: Backlog<Thing>;
  /** Above this many queued items, new ones are looked up in the store later. */
  readonly maxPending: number;
  /** Minimum time to gather touched items before deriving them. */
  readonly gatherSeconds?: number | undefined;
  /** Items that rows touch, removed rows first: no lookup in the store would find those. */
  readonly touched: (table: TableDefinition, rows: readonly InsertRow[], left: readonly InsertRow[]) => Iterable<Thing>;
  readonly isLeft?: (thing: Thing) => boolean;
  /** Derives what was stored since `found`, everything if undefined. Returns the resulting watermark in the records. */
  readonly resume: (found: Date | undefined, signal: AbortSignal) => Promise<Date | undefined>;
  readonly cycle: (signal: AbortSignal) => Promise<void>;
  /** Called with the watermark about to be saved. */
  readonly leaveAt?: (through: Date) => void;
  /** Whether there is work left besides queued items. */
  readonly isBehind?: (isResumed: boolean) => boolean;
};

export type QueueOptions = Pick<DeriverOptions, "store" | "db" | "clock" | "metrics" | "log" | "maxPending"> & {
  readonly gatherMs?: number | undefined;
  /** Horizon of the derivations that make its sources: beyond it, nothing can be derived here either. */
  readonly horizonOfSources: (now: number) => number | undefined;
};

const GATHER_MS = 2000;
const MAX_WAIT_MS = 60_000;
const SAVE_EVERY_MS = 5000;

export function createQueue<Thing>(work: QueueWork<Thing>, options: QueueOptions): Queue {
  const { name, backlog } = work;
  const { clock, log, maxPending = work.maxPending, gatherMs = GATHER_MS } = options;
  const place = createPlace(work, options);
  const expediting = createExpedite(clock, gatherMs, (upTo) => backlog.oldestWaiting() <= upTo);
  let turning: Promise<void> = Promise.resolve();

  const announce = (
    table: TableDefinition,
    rows: readonly InsertRow[],
    left: readonly InsertRow[],
    at: number,
  ): void => {
    const isFull = rows.length > 0 && backlog.size() >= maxPending;
    if (isFull) backlog.lookUp(at);
    try {
      backlog.add(work.touched(table, isFull ? [] : rows, left), at);
    } catch (error) {
      backlog.lookUp(at);
      log.error({ err: error, derivation: name }, "a row could not be read; it is read from the store");
    }
  };
  const cycle = (signal: AbortSignal): Promise<void> => {
    const next = turning.then(() => work.cycle(signal));
    turning = next.catch(() => undefined);
    return next;
  };
  return {
    name,
    reads: work.reads,
    makes: work.makes,
    resume: place.resume,
    cycle,
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
      // A command may have derived instead since the last run.
      let isResumed = false;
      const everyMs = Math.max(gatherMs, (work.gatherSeconds ?? 0) * 1000);
      const failed = { log, labels: { derivation: name }, message: "a derivation failed", backsOff: true } as const;
      const { rest } = expediting;
      return every({ clock, signal, everyMs, firstMs: 0, maxMs: MAX_WAIT_MS, failed, rest }, async () => {
        if (!isResumed || !place.isKnown()) await place.resume(signal);
        isResumed = true;
        await cycle(signal);
        await place.save(expediting.isOver());
      });
    },
    expedite: expediting.expedite,
    hasWaiting: (upTo) => backlog.oldestWaiting() <= upTo,
    hasLeft: () => work.isLeft !== undefined && backlog.has(work.isLeft),
    size: () => backlog.size() + (backlog.isToLookUp() || work.isBehind?.(place.isKnown()) === true ? 1 : 0),
  };
}

/** The watermark up to which everything stored is derived, as kept in the records. */
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
    // If it differs from the saved one, another process stored rows and left them to this one: they are looked up.
    const isMoved = await moveThrough(db, name, { from: saved.through, to }, new Date(now));
    saved = isMoved ? { through: to } : undefined;
    savedAt = nowMs;
  };
  // Two concurrent saves would mistake each other for another process.
  const oneByOne = createLimiter(1);
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
