import type { Sweep } from "../../definition/regular-jobs.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { Store } from "../../store/store.ts";
import { every } from "../clock.ts";
import { findDerivedThrough } from "../control/derivation-record.ts";
import { saveSweepError, saveSwept } from "../control/retention-record.ts";
import type { DeriverOptions } from "../derive.ts";

export type SweepSchedule = Pick<DeriverOptions, "db" | "clock" | "log" | "metrics"> & {
  readonly sweeps: readonly Sweep[];
  /** Makers of derived tables, for sweeps that wait for them: name, and the table made. */
  readonly makers: readonly { readonly name: string; readonly into: TableDefinition }[];
  readonly store: Pick<Store, "rows" | "insert" | "run" | "alter" | "changed">;
  /** Current venue time (Unix ms). */
  readonly venueNow: () => number;
  readonly signal: AbortSignal;
};

/** Delay after the start, so that ingest and queries come first. */
const FIRST_MS = 60_000;
/** Pause after a turn that reached its bound. */
const SOON_MS = 5000;

/** Runs every sweep at its own interval until aborted, one turn at a time. A failed one is retried at its next turn. */
export async function sweepRegularly(schedule: SweepSchedule): Promise<void> {
  let cycle: Promise<unknown> = Promise.resolve();
  await Promise.all(
    schedule.sweeps.map((sweep) =>
      repeat(sweep, schedule, () => {
        const mine = cycle.then(() => runSweep(sweep, schedule));
        cycle = mine.catch(() => undefined);
        return mine;
      }),
    ),
  );
}

async function repeat(sweep: Sweep, { clock, signal, db, log }: SweepSchedule, run: () => Promise<boolean>) {
  const everyMs = sweep.everySeconds * 1000;
  const failed = { log, labels: { sweep: sweep.name }, message: "a sweep failed; the next run retries" };
  await every({ clock, signal, everyMs, firstMs: FIRST_MS, failed }, async () => {
    try {
      return (await run()) ? everyMs : SOON_MS;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (!signal.aborted) await saveSweepError(db, sweep, text).catch(() => undefined);
      throw error;
    }
  });
}

/** Runs one turn; false if its bound was reached and more is left. Throws StoreError, or the signal's reason. */
export async function runSweep(sweep: Sweep, schedule: Omit<SweepSchedule, "sweeps">): Promise<boolean> {
  const { store, db, clock, venueNow, makers, metrics, log, signal } = schedule;
  if (signal.aborted) return true;
  const derivedThrough = async (table: TableDefinition): Promise<number | undefined> => {
    const making = makers.filter(({ into }) => into.name === table.name);
    const through = await Promise.all(making.map(({ name }) => findDerivedThrough(db, name)));
    if (making.length === 0 || through.includes(undefined)) return undefined;
    return Math.min(...through.map((timestamp) => timestamp?.getTime() ?? 0));
  };
  const removing = (goneBefore: number): Promise<void> =>
    saveSwept(db, sweep, { rows: 0, goneBefore }, new Date(clock.now()));
  const swept = await sweep.sweep(store, { now: venueNow(), derivedThrough, removing, signal });
  await saveSwept(db, sweep, swept, new Date(clock.now()));
  metrics.swept.inc({ sweep: sweep.name }, swept.rows);
  if (swept.rows > 0) {
    store.changed(sweep.of);
    log.info({ sweep: sweep.name, rows: swept.rows, is_done: swept.isDone }, "rows were removed");
  }
  return swept.isDone;
}
