import type { DayDerivation } from "../../definition/day-derivation.ts";
import { dayOf } from "../../definition/day-of.ts";
import { bind } from "../../definition/sql.ts";
import { runDay, type DayRun } from "./run-day.ts";

export type DaysRun = DayRun & {
  readonly signal: AbortSignal;
  /** Now by the venues' clock (Unix ms): it says which day lasts; `clock` when absent. */
  readonly venueNow?: () => number;
  readonly onProgress?: (derivation: string, day: string, done: number, of: number) => void;
};

/**
 * Works out every day that changed since a moment (Unix ms), or all days there are, oldest first; the derivations in
 * `inOrder`, each wholly before those that read it. Gives how many days were made. Throws StoreError, or the signal's
 * reason between two days.
 */
export async function deriveDays(
  derivation: DayDerivation,
  sinceMs: number | undefined,
  run: DaysRun,
): Promise<number> {
  const { store, signal } = run;
  const now = run.venueNow?.() ?? run.clock.now();
  const today = dayOf(now / 1000);
  const since =
    sinceMs === undefined ? undefined : bind("UInt64", String(BigInt(Math.max(0, Math.floor(sinceMs))) * 1000n));
  const found = await store.rows<{ day: string }>(derivation.touched({ since, today: bind("Date", today) }));
  const days = [...new Set(found.map(({ day }) => day))].filter((day) => day <= today).sort();
  for (const [done, day] of days.entries()) {
    signal.throwIfAborted();
    await runDay(derivation, day, run);
    run.onProgress?.(derivation.name, day, done + 1, days.length);
  }
  return days.length;
}
