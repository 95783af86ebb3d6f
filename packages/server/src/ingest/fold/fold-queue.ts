import type { Fold } from "../../definition/fold.ts";
import { createBacklog } from "../backlog.ts";
import type { DeriverOptions } from "../derive.ts";
import { createQueue, type Queue, type QueueOptions, type QueueWork } from "../queue.ts";
import { openCheckpoints } from "./checkpoints.ts";
import { createFoldDays } from "./fold-days.ts";
import { foldReader } from "./fold-reads.ts";
import {
  AUDIT_RANGES,
  createRipeWork,
  KEYS_PER_CYCLE,
  resume,
  workAudit,
  workDays,
  workOverflow,
  workPending,
} from "./fold-cycles.ts";
import { touchRows, type Touch } from "./touch-rows.ts";
import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import { lowerThrough } from "../control/derivation-record.ts";
import { STAMP_MARGIN_MS } from "../timestamps.ts";

export type FoldOptions = QueueOptions &
  Pick<DeriverOptions, "checkpoints"> & {
    /** Current venue time (Unix ms). */
    readonly venueNow: () => number;
  };

/** Small enough that a stopping service does not wait long for the running slice. */
const LIVE_SLICE = { keys: 1000, rows: 30_000 };
const RIPE_EVERY_MS = 10_000;
/** All keys are audited once a day. */
const AUDIT_EVERY_MS = 86_400_000 / AUDIT_RANGES;

/** Queue of a fold. */
export function createFoldQueue(fold: Fold, options: FoldOptions): Queue {
  const { store, clock, venueNow } = options;
  const backlog = createBacklog<Touch>({
    ...options,
    name: fold.name,
    placeOf: ({ source, value }) => `${source} ${value}`,
    together: (one, other) => (other.day < one.day ? other : one),
  });
  const days = createFoldDays(venueNow);
  const checkpoints = options.checkpoints?.of(fold) ?? openCheckpoints(fold);
  const engine = { fold, store, read: foldReader(store), checkpoints, limits: LIVE_SLICE };
  const parts = { engine, options, backlog, days };
  let [isFirst, ripeAt] = [true, Number.NEGATIVE_INFINITY];
  const audit = createAudits(parts);
  const workRipe = createRipeWork(parts);
  const work: QueueWork<Touch> = {
    name: fold.name,
    reads: fold.from.map(({ table }) => table),
    makes: fold.into,
    backlog,
    maxPending: 200_000,
    gatherSeconds: fold.gatherSeconds,
    touched: (table, rows, left) => touchRows(fold, table, rows, left, days.closed()),
    resume: async (found, signal) => {
      const through = await resume(parts, found, isFirst, signal);
      isFirst = false;
      return through;
    },
    cycle: async (signal) => {
      await workPending(parts, signal);
      // Some keys are always queued while rows keep coming: only more than one turn's worth delays the other work.
      if (backlog.size() >= KEYS_PER_CYCLE && !days.isOneOver()) return;
      await workOverflow(parts, signal);
      if (days.isOneOver()) await workDays(parts, signal);
      if (clock.monotonicMs() - ripeAt < RIPE_EVERY_MS) return;
      await workRipe(signal);
      ripeAt = clock.monotonicMs();
      await audit(signal);
    },
    leaveAt: checkpoints.leaveAt,
    isBehind: (isResumed) => !isResumed || days.isOneOver(),
  };
  return createQueue(work, options);
}

/** Audits the next range of keys, if due. */
function createAudits(parts: Parameters<typeof workAudit>[0]): (signal: AbortSignal) => Promise<void> {
  const { clock } = parts.options;
  // A random start, so that a process that restarts often covers all ranges too.
  let [audited, auditedAt] = [Math.floor(Math.random() * AUDIT_RANGES), clock.monotonicMs()];
  return async (signal) => {
    if (clock.monotonicMs() - auditedAt < AUDIT_EVERY_MS) return;
    auditedAt = clock.monotonicMs();
    await workAudit(parts, (audited += 1), signal);
  };
}

/**
 * For a process that stores rows but runs no folds: it lowers the fold's watermark, so that the folding process looks
 * them up.
 */
export function createHandOver(
  fold: Fold,
  { db, clock }: { readonly db: Kysely<RecordsSchema>; readonly clock: Clock },
): Pick<Queue, "reads" | "begin" | "save"> {
  const inFlight = new Set<{ readonly at: number }>();
  let since: number | undefined;
  return {
    reads: fold.from.map(({ table }) => table),
    begin: () => {
      const storing = { at: clock.now() };
      inFlight.add(storing);
      return () => {
        since = Math.min(since ?? storing.at, storing.at);
        inFlight.delete(storing);
      };
    },
    save: async () => {
      if (since === undefined) return;
      const saved = since;
      // Rows announced while the watermark is lowered may become readable after the folding process looked for them.
      since = inFlight.size === 0 ? undefined : Math.min(...[...inFlight].map(({ at }) => at));
      try {
        await lowerThrough(db, fold.name, new Date(saved - STAMP_MARGIN_MS), new Date(clock.now()));
      } catch (error) {
        since = Math.min(since ?? saved, saved);
        throw error;
      }
    },
  };
}
