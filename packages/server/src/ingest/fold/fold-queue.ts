import type { Fold } from "../../definition/fold.ts";
import type { InsertRow, TableDefinition } from "../../definition/table.ts";
import { findDerivedThrough, saveDerivedThrough } from "../control/derivation-record.ts";
import type { Announce, DeriverOptions } from "../derive.ts";
import { createOverflow } from "../overflow.ts";
import { rowMoment } from "../row-moment.ts";
import { dayAfter } from "./day-after.ts";
import { dayOf } from "./day-of.ts";
import { findClosed, moveThrough, saveClosed } from "./fold-record.ts";
import { foldReader } from "./fold-store.ts";
import { foldSince } from "./fold-since.ts";
import { earliest } from "./find-touched.ts";
import { closeDays } from "./close-days.ts";
import { workTouched, type Between, type FoldEngine } from "./fold-work.ts";
import { createPendingKeys, type Touch } from "./pending-keys.ts";

/** One fold's work: what is announced, worked out in turns. */
export type FoldQueue = {
  readonly fold: Fold;
  readonly begin: (table: TableDefinition) => Announce;
  readonly turn: (signal: AbortSignal) => Promise<void>;
  readonly save: (isLast?: boolean) => Promise<void>;
  readonly size: () => number;
};

/** With more waiting than this, what comes is looked up in the store afterwards. */
const MOST_PENDING = 200_000;
const KEYS_A_TURN = 5000;
/** Between the process that stamps a row and the moment the row can be read. */
const STAMP_MARGIN_MS = 10_000;
const SAVE_EVERY_MS = 5000;
const RIPE_EVERY_MS = 10_000;
/** A day is worked out for everyone so long after its end: its last rows have come by then. */
const CLOSE_AFTER_MS = 600_000;

export type FoldOptions = Pick<
  DeriverOptions,
  "store" | "db" | "clock" | "metrics" | "log" | "onDerived" | "mostPending"
> & {
  /** Now by the venues' clock (Unix ms). */
  readonly venueNow: () => number;
  /** Of the derivations that make its sources. */
  readonly horizonOfSources: (now: number) => number | undefined;
};

export function createFoldQueue(fold: Fold, options: FoldOptions): FoldQueue {
  const { store, db, clock, log, metrics, venueNow, mostPending = MOST_PENDING } = options;
  const engine: FoldEngine = { fold, store, read: foldReader(store), onDerived: options.onDerived };
  const pending = createPendingKeys();
  const over = createOverflow();
  const inFlight = new Set<{ readonly at: number }>();
  const labels = { derivation: fold.name };
  let isResumed = false;
  /** What the records say; undefined before the first run is through. */
  let saved: Date | undefined;
  let savedAt = Number.NEGATIVE_INFINITY;
  let ripeAt = Number.NEGATIVE_INFINITY;
  let closed: string | undefined;
  let turning: Promise<void> = Promise.resolve();

  const yesterday = (): string => dayAfter(dayOf(Math.floor((venueNow() - CLOSE_AFTER_MS) / 1000)), -1);
  const closedDay = (): string => closed ?? yesterday();
  const isDayOver = (): boolean => closed !== undefined && closed < yesterday();

  return {
    fold,
    begin: (table) => {
      const storing = { at: clock.now() };
      inFlight.add(storing);
      return (rows, left = []) => {
        announce(table, rows, left, storing.at);
        inFlight.delete(storing);
      };
    },
    turn: (signal) => {
      const next = turning.then(() => takeTurn(signal));
      turning = next.catch(() => undefined);
      return next;
    },
    save,
    size: () => pending.size() + (isResumed && over.oldest() === undefined && !isDayOver() ? 0 : 1),
  };

  function announce(table: TableDefinition, rows: readonly InsertRow[], left: readonly InsertRow[], at: number): void {
    fold.from.forEach((source, index) => {
      if (source.table.name !== table.name) return;
      const isFull = pending.size() >= mostPending;
      if (isFull && rows.length > 0) over.note(at);
      try {
        // Rows that are taken away may have stood on an earlier day than those that take their place.
        const early = left.map((row) => dayOf(rowMoment(row[source.moment])));
        const touch = (row: InsertRow, days: readonly string[]): void => {
          const day = [dayOf(rowMoment(row[source.moment])), ...days].sort()[0] ?? "";
          if (source.isOfClosedDays && day > closedDay()) return;
          for (const column of Object.keys(source.columns)) {
            const value = row[column];
            if (value !== undefined) pending.add({ source: index, value: String(value).toLowerCase(), day }, at);
          }
        };
        for (const row of left) touch(row, []);
        if (!isFull) for (const row of rows) touch(row, early);
      } catch (error) {
        over.note(at);
        log.error({ err: error, derivation: fold.name }, "a row could not be read; it is looked up in the store");
      }
    });
  }

  async function takeTurn(signal: AbortSignal): Promise<void> {
    if (!isResumed) await resume(signal);
    await workPending(signal);
    if (pending.size() > 0) return;
    await over.settle((from) => since(from - STAMP_MARGIN_MS, signal));
    if (clock.now() - ripeAt >= RIPE_EVERY_MS) {
      ripeAt = clock.now();
      await workTouched(engine, await fold.findRipe(engine.read), closedDay(), signal);
    }
    if (isDayOver()) await close(signal);
  }

  async function workPending(signal: AbortSignal): Promise<void> {
    const storedFrom = pending.oldest();
    const taken = pending.take(KEYS_A_TURN);
    metrics.derivePending.set(labels, pending.size());
    if (taken.length === 0) return;
    try {
      const keys = await toKeys(taken, (storedFrom ?? 0) - STAMP_MARGIN_MS);
      const done = await workTouched(engine, keys, closedDay(), signal);
      metrics.derived.inc(labels, done.keys);
      pending.done();
    } catch (error) {
      pending.again();
      throw error;
    }
  }

  async function toKeys(taken: readonly Touch[], sinceMs: number): Promise<ReadonlyMap<string, string>> {
    const keys = new Map<string, string>();
    for (const [index, source] of fold.from.entries()) {
      const values = earliest(taken.filter((one) => one.source === index).map(({ value, day }) => [value, day]));
      if (values.size === 0) continue;
      earliest(source.find ? await source.find(engine.read, values, sinceMs) : values, keys);
    }
    return keys;
  }

  /** Works out what an earlier process stored and did not come to; everything where nothing was ever worked out. */
  async function resume(signal: AbortSignal): Promise<void> {
    const found = await findDerivedThrough(db, fold.name);
    closed = found === undefined ? yesterday() : ((await findClosed(db, fold.name)) ?? yesterday());
    const began = clock.now();
    await since(found?.getTime() ?? 0, signal);
    saved = found ?? new Date(began - STAMP_MARGIN_MS);
    if (found === undefined) {
      await saveDerivedThrough(db, fold.name, saved, new Date(clock.now()));
      await saveClosed(db, fold.name, closed, new Date(clock.now()));
    }
    isResumed = true;
  }

  async function since(sinceMs: number, signal: AbortSignal): Promise<void> {
    await foldSince(engine, options, {
      sinceMs: Math.max(0, sinceMs),
      closed: closedDay(),
      signal,
      between: between(signal),
    });
  }

  /** A long piece of work lets what is touched meanwhile through. */
  function between(signal: AbortSignal): Between {
    return { isDue: () => isResumed && pending.size() > 0, run: () => workPending(signal) };
  }

  async function close(signal: AbortSignal): Promise<void> {
    const from = closed ?? yesterday();
    const day = yesterday();
    closed = day;
    try {
      await closeDays(engine, { closed: from, day, signal, between: between(signal) });
      await saveClosed(db, fold.name, day, new Date(clock.now()));
    } catch (error) {
      closed = from;
      throw error;
    }
  }

  async function save(isLast = false): Promise<void> {
    const now = clock.now();
    const ofSources = options.horizonOfSources(now);
    if (!isResumed || saved === undefined || ofSources === undefined) return;
    if (!isLast && now - savedAt < SAVE_EVERY_MS) return;
    const storing = [...inFlight].map(({ at }) => at);
    const through = Math.min(now, ofSources, pending.oldest() ?? now, over.oldest() ?? now, ...storing);
    const to = new Date(through - STAMP_MARGIN_MS);
    if (await moveThrough(db, fold.name, { from: saved, to }, new Date(now))) saved = to;
    // Another process stored rows and leaves them to this one.
    else isResumed = false;
    savedAt = now;
  }
}
