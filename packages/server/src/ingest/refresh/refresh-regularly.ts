import type { Refresh, RefreshStore } from "../../definition/regular-jobs.ts";
import { every } from "../clock.ts";
import { findDerivedThrough, saveDerivedThrough } from "../control/derivation-record.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { InTurn } from "../../definition/pacing.ts";
import type { Store } from "../../store/store.ts";
import type { DeriverOptions } from "../derive.ts";
import { DAY_READING } from "../day/day-rows.ts";
import { createLimiter } from "../concurrency.ts";

export type RefreshSchedule = RefreshRun &
  Pick<DeriverOptions, "db" | "clock" | "log"> & {
    readonly refreshes: readonly Refresh[];
    /** Current venue time (Unix ms). */
    readonly venueNow: () => number;
  };

/** Delay after the start, so that what is stored first is derived first. */
const FIRST_MS = 60_000;

/** Runs every refresh at its own interval until aborted. A failed one is retried at its next turn. */
export async function refreshRegularly(schedule: RefreshSchedule): Promise<void> {
  await Promise.all(schedule.refreshes.map((refresh) => repeat(refresh, schedule)));
}

async function repeat(refresh: Refresh, schedule: RefreshSchedule): Promise<void> {
  const { clock, signal, db, log, venueNow } = schedule;
  const { name, everySeconds, wholeEverySeconds } = refresh;
  let last: { readonly began: number; readonly startedMs: number } | undefined;
  let wholeAt = Number.NEGATIVE_INFINITY;
  const failed = { log, labels: { refresh: name }, message: "figures could not be refreshed" };
  await every({ clock, signal, everyMs: everySeconds * 1000, firstMs: FIRST_MS, failed }, async (began) => {
    const [now, startedMs] = [venueNow(), clock.monotonicMs()];
    const isWhole = startedMs - wholeAt >= wholeEverySeconds * 1000;
    // If the machine's clock was set back since the last run, rows are stamped before its start.
    const since = last
      ? Math.min(last.began, Math.round(began - (startedMs - last.startedMs)))
      : (await findDerivedThrough(db, name))?.getTime();
    const done = await runRefresh(refresh, { now, since, isWhole }, schedule);
    await saveDerivedThrough(db, name, new Date(began), new Date(clock.now()));
    last = { began, startedMs };
    if (isWhole) wholeAt = startedMs;
    log.debug({ refresh: name, done, isWhole, ms: clock.monotonicMs() - startedMs }, "figures refreshed");
  });
}

type RefreshRun = {
  readonly store: Pick<Store, "rows" | "insert" | "run" | "alter">;
  readonly signal: AbortSignal;
  readonly onDerived?: (table: TableDefinition) => void;
  /** Schedules parts; they are computed one after the other when absent. */
  readonly withLock?: InTurn;
};

/** Runs one turn of a refresh; returns the number of things computed. Throws StoreError, or the signal's reason. */
export async function runRefresh(
  refresh: Refresh,
  cycle: { readonly now: number; readonly since: number | undefined; readonly isWhole: boolean },
  { store, signal, onDerived, withLock = createLimiter(1) }: RefreshRun,
): Promise<number> {
  const own: RefreshStore = { ...store, rows: (statement) => store.rows(statement, { settings: DAY_READING }) };
  const done = await refresh.refresh(own, { ...cycle, signal, withLock });
  if (done > 0) onDerived?.(refresh.into);
  return done;
}
