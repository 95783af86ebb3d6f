import { sourcesOf, type Derivation, type DerivationMemory } from "../definition/derivation.ts";
import type { InsertRow } from "../definition/table.ts";
import { findDerivedThrough, moveDerivedThrough } from "./control/derivation-record.ts";
import { BUCKETS_A_TURN, deriveSince } from "./derive-since.ts";
import type { Announce, DeriverOptions } from "./derive.ts";
import { createLookAgain, type LookAgain } from "./look-again.ts";
import { createOverflow, type Overflow } from "./overflow.ts";
import { remake, type Remade } from "./remake.ts";
import { rowMoment } from "./row-moment.ts";
import { tellsSince } from "./stored-since.ts";
import { STAMP_MARGIN_MS } from "./stamp-margin.ts";

/** One derivation's work: what is announced, worked out in turns. */
export type DerivationQueue = {
  readonly derivation: Derivation;
  readonly begin: () => Announce;
  /** Works out the buckets of rows stored since the moment written down last. */
  readonly resume: (signal: AbortSignal) => Promise<void>;
  /** Works out some of the waiting buckets. */
  readonly turn: () => Promise<void>;
  /** Writes down up to when everything stored was worked out. */
  readonly save: (isLast?: boolean) => Promise<void>;
  /**
   * Up to when (Unix ms) everything stored was worked out, by its sources too; undefined before it has caught up with
   * what an earlier process left.
   */
  readonly horizon: (now: number) => number | undefined;
  readonly size: () => number;
};

/** With more waiting than this, what comes is looked up in the store afterwards. */
const MOST_PENDING = 50_000;
const SAVE_EVERY_MS = 5000;

type Options = Pick<DeriverOptions, "store" | "db" | "clock" | "metrics" | "log" | "onDerived" | "mostPending"> & {
  readonly remade: Remade;
  readonly memory: DerivationMemory;
  /** Of the derivations that make its sources: what those have not come to cannot be worked out here either. */
  readonly horizonOfSources?: (now: number) => number | undefined;
};

export function createDerivationQueue(derivation: Derivation, options: Options): DerivationQueue {
  const { db, clock, log, mostPending = MOST_PENDING } = options;
  requireTold(derivation);
  const buckets = createPendingBuckets();
  const inFlight = new Set<{ readonly at: number }>();
  const over = createOverflow();
  const lookAgain = createLookAgain(derivation, options);
  let turning: Promise<void> = Promise.resolve();
  let savedAt = Number.NEGATIVE_INFINITY;
  let isResumed = false;

  const announce = (rows: readonly InsertRow[], left: readonly InsertRow[], storedFrom: number): void => {
    try {
      // What left is in no row that a look-up in the store would find.
      buckets.add(touched(derivation, left), storedFrom, true);
      if (buckets.size() >= mostPending && rows.length > 0) over.note(storedFrom);
      else buckets.add(touched(derivation, rows), storedFrom);
    } catch (error) {
      over.note(storedFrom);
      log.error(
        { err: error, derivation: derivation.name },
        "a row's moment could not be read; its bucket is looked up in the store",
      );
    }
  };
  const horizon = (now: number): number | undefined => {
    const ofSources = options.horizonOfSources === undefined ? now : options.horizonOfSources(now);
    if (!isResumed || ofSources === undefined) return undefined;
    const storing = [...inFlight].map(({ at }) => at);
    return Math.min(now, ofSources, buckets.oldest() ?? now, over.oldest() ?? now, ...storing);
  };
  return {
    derivation,
    horizon,
    begin: () => {
      const storing = { at: clock.now() };
      inFlight.add(storing);
      return (rows, left = []) => {
        announce(rows, left, storing.at);
        inFlight.delete(storing);
      };
    },
    resume: async (signal) => {
      await deriveSince(derivation, options, await findDerivedThrough(db, derivation.name), signal);
      isResumed = true;
    },
    turn: () => {
      const next = turning.then(() => takeTurn(derivation, options, buckets, over, lookAgain));
      turning = next.catch(() => undefined);
      return next;
    },
    save: async (isLast = false) => {
      const now = clock.now();
      const through = horizon(now);
      if (through === undefined || (!isLast && now - savedAt < SAVE_EVERY_MS)) return;
      await moveDerivedThrough(db, derivation.name, toSince(through), new Date(now));
      savedAt = now;
    },
    size: () => buckets.size() + (over.oldest() === undefined ? 0 : 1),
  };
}

function requireTold(derivation: Derivation): void {
  const untold = sourcesOf(derivation).find((source) => !tellsSince(source));
  if (untold) throw new TypeError(`${untold.name} has no ingested_at: ${derivation.name} could not be resumed`);
}

async function takeTurn(
  derivation: Derivation,
  options: Options,
  buckets: PendingBuckets,
  over: Overflow,
  lookAgain: LookAgain,
): Promise<void> {
  buckets.add(await lookAgain(), options.clock.now());
  const { metrics } = options;
  const labels = { derivation: derivation.name };
  const since = buckets.oldest();
  const { starts, left } = buckets.take(BUCKETS_A_TURN);
  metrics.derivePending.set(labels, buckets.size());
  try {
    await remake(derivation, options, { starts, left, since: since && since - STAMP_MARGIN_MS });
    buckets.done();
  } catch (error) {
    buckets.again();
    throw error;
  }
  metrics.derived.inc(labels, starts.length);
  if (buckets.size() > 0) return;
  await over.settle((from) => deriveSince(derivation, options, toSince(from), new AbortController().signal));
}

function toSince(moment: number): Date {
  return new Date(moment - STAMP_MARGIN_MS);
}

function touched({ moment, bucketSeconds }: Derivation, rows: readonly InsertRow[]): Set<number> {
  return new Set(rows.map((row) => Math.floor(rowMoment(row[moment]) / bucketSeconds) * bucketSeconds));
}

/**
 * Buckets that wait to be worked out, each once, with the moment (Unix ms) from which its rows were stored. Some were
 * left by rows that were taken away: what was worked out from those may have to go.
 */
type PendingBuckets = {
  readonly add: (starts: Iterable<number>, storedFrom: number, isLeft?: boolean) => void;
  /** Takes up to `count` buckets, lowest first; they stay counted in `oldest` until `done` or `again`. */
  readonly take: (count: number) => { readonly starts: readonly number[]; readonly left: readonly number[] };
  readonly done: () => void;
  readonly again: () => void;
  readonly size: () => number;
  /** The earliest moment whose rows are not worked out yet; undefined when none are waiting. */
  readonly oldest: () => number | undefined;
};

type Waiting = { readonly storedFrom: number; readonly isLeft: boolean };

function createPendingBuckets(): PendingBuckets {
  const waiting = new Map<number, Waiting>();
  let taken = new Map<number, Waiting>();
  const add = (start: number, more: Waiting): void => {
    const known = waiting.get(start) ?? more;
    const storedFrom = Math.min(more.storedFrom, known.storedFrom);
    waiting.set(start, { storedFrom, isLeft: more.isLeft || known.isLeft });
  };
  return {
    add: (starts, storedFrom, isLeft = false) => {
      for (const start of starts) add(start, { storedFrom, isLeft });
    },
    take: (count) => {
      const chosen = [...waiting].sort(([a], [b]) => a - b).slice(0, count);
      taken = new Map(chosen);
      for (const [start] of chosen) waiting.delete(start);
      const left = chosen.filter(([, { isLeft }]) => isLeft);
      return { starts: chosen.map(([start]) => start), left: left.map(([start]) => start) };
    },
    done: () => {
      taken = new Map();
    },
    again: () => {
      for (const [start, more] of taken) add(start, more);
      taken = new Map();
    },
    size: () => waiting.size + taken.size,
    oldest: () => {
      let least: number | undefined;
      for (const { storedFrom } of [...waiting.values(), ...taken.values()]) {
        if (least === undefined || storedFrom < least) least = storedFrom;
      }
      return least;
    },
  };
}
