import type { Fold } from "../../definition/fold.ts";
import type { InsertRow, TableDefinition } from "../../definition/table.ts";
import type { Announce, DeriverOptions } from "../derive.ts";
import { createOverflow } from "../overflow.ts";
import { createFoldDays } from "./fold-days.ts";
import type { FoldEngine } from "./fold-work.ts";
import { moveThrough } from "./fold-record.ts";
import { foldReader } from "./fold-store.ts";
import {
  AUDIT_RANGES,
  KEYS_A_TURN,
  resume,
  workAudit,
  workDays,
  workOverflow,
  workPending,
  workRipe,
} from "./fold-turns.ts";
import { STAMP_MARGIN_MS } from "../stamp-margin.ts";
import { openCheckpoints } from "./checkpoints.ts";
import { createPendingKeys } from "./pending-keys.ts";
import { touchRows } from "./touch-rows.ts";

/** One fold's work: what is announced, worked out in turns. */
export type FoldQueue = {
  readonly fold: Fold;
  readonly begin: (table: TableDefinition) => Announce;
  /** Catches up with what an earlier process left, then works out some of what waits. */
  readonly turn: (signal: AbortSignal) => Promise<void>;
  /** Writes down up to when everything stored was worked out. */
  readonly save: (isLast?: boolean) => Promise<void>;
  readonly size: () => number;
};

export type FoldOptions = Pick<
  DeriverOptions,
  "store" | "db" | "clock" | "metrics" | "log" | "mostPending" | "checkpoints"
> & {
  /** Now by the venues' clock (Unix ms). */
  readonly venueNow: () => number;
  /** Up to when those who make its sources are done; undefined before they have caught up. */
  readonly horizonOfSources: (now: number) => number | undefined;
};

/** With more waiting than this, what comes is looked up in the store afterwards. */
const MOST_PENDING = 200_000;
/** Small enough that a service which is told to stop need not wait long for the slice under way. */
const LIVE_SLICE = { keys: 1000, rows: 30_000 };
const SAVE_EVERY_MS = 5000;
const RIPE_EVERY_MS = 10_000;
/** All keys are audited in a day. */
const AUDIT_EVERY_MS = 86_400_000 / AUDIT_RANGES;

export function createFoldQueue(fold: Fold, options: FoldOptions): FoldQueue {
  const { store, clock, log, venueNow, mostPending = MOST_PENDING } = options;
  const [pending, over, days] = [createPendingKeys(), createOverflow(), createFoldDays(venueNow)];
  const checkpoints = options.checkpoints?.of(fold) ?? openCheckpoints(fold);
  const engine = { fold, store, read: foldReader(store), checkpoints, limits: LIVE_SLICE };
  const parts = { engine, options, pending, over, days };
  const inFlight = new Set<{ readonly at: number }>();
  const place = createPlace(engine, options, (now) => {
    const storing = [...inFlight].map(({ at }) => at);
    return Math.min(now, pending.oldest() ?? now, over.oldest() ?? now, ...storing);
  });
  let [isFirst, ripeAt] = [true, Number.NEGATIVE_INFINITY];
  const audit = createAudits(parts);
  let turning: Promise<void> = Promise.resolve();

  const announce = (
    table: TableDefinition,
    rows: readonly InsertRow[],
    left: readonly InsertRow[],
    at: number,
  ): void => {
    const isFull = rows.length > 0 && pending.size() >= mostPending;
    if (isFull) over.note(at);
    try {
      // What left is in no row that a look-up in the store would find.
      for (const touch of touchRows(fold, table, isFull ? [] : rows, left, days.closed())) pending.add(touch, at);
    } catch (error) {
      over.note(at);
      log.error({ err: error, derivation: fold.name }, "a row could not be read; it is looked up in the store");
    }
  };
  const takeTurn = async (signal: AbortSignal): Promise<void> => {
    if (!place.isKnown()) place.know(await resume(parts, isFirst, signal));
    isFirst = false;
    await workPending(parts, signal);
    // While rows keep coming some always wait: only more than a turn takes keep the rest from its turn.
    if (pending.size() >= KEYS_A_TURN && !days.isOneOver()) return;
    await workOverflow(parts, signal);
    if (days.isOneOver()) await workDays(parts, signal);
    if (clock.now() - ripeAt < RIPE_EVERY_MS) return;
    await workRipe(parts, signal);
    ripeAt = clock.now();
    await audit(signal);
  };
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
    save: place.save,
    size: () => pending.size() + (place.isKnown() && over.oldest() === undefined && !days.isOneOver() ? 0 : 1),
  };
}

/** Audits the next of all keys, where it is time for them. */
function createAudits(parts: Parameters<typeof workAudit>[0]): (signal: AbortSignal) => Promise<void> {
  const { clock } = parts.options;
  // A process that is started again and again comes to all of them too.
  let [audited, auditedAt] = [Math.floor(Math.random() * AUDIT_RANGES), clock.now()];
  return async (signal) => {
    if (clock.now() - auditedAt < AUDIT_EVERY_MS) return;
    auditedAt = clock.now();
    await workAudit(parts, (audited += 1), signal);
  };
}

/** Up to when everything stored is worked out, as the records have it. */
function createPlace(
  { fold, checkpoints }: Pick<FoldEngine, "fold" | "checkpoints">,
  { db, clock, horizonOfSources }: FoldOptions,
  oldest: (now: number) => number,
) {
  let saved: Date | undefined;
  let savedAt = Number.NEGATIVE_INFINITY;
  return {
    isKnown: (): boolean => saved !== undefined,
    know: (through: Date): void => {
      saved = through;
    },
    save: async (isLast = false): Promise<void> => {
      const now = clock.now();
      const ofSources = horizonOfSources(now);
      if (saved === undefined || ofSources === undefined || (!isLast && now - savedAt < SAVE_EVERY_MS)) return;
      const to = new Date(Math.min(ofSources, oldest(now)) - STAMP_MARGIN_MS);
      // Where it is not what was saved, another process stored rows and left them to this one: they are looked up.
      checkpoints.leaveAt(to);
      saved = (await moveThrough(db, fold.name, { from: saved, to }, new Date(now))) ? to : undefined;
      savedAt = now;
    },
  };
}
