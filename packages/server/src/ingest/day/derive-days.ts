import type { DaysDerivation } from "../../definition/day-derivation.ts";
import { dayOf } from "../../definition/day-of.ts";
import { bind, type Bound, type Sql } from "../../definition/sql.ts";
import { eachInTurn, type InTurn } from "../../definition/pacing.ts";
import { DAY_READING, DAY_READING as settings } from "./day-rows.ts";
import { runDays, type RunOfDays } from "./run-days.ts";
import { createLimiter } from "../concurrency.ts";
import type { Store } from "../../store/store.ts";

export type DaysRun = Omit<RunOfDays, "onSlice" | "maxKept"> & {
  /** Current venue time (Unix ms), which defines the day in progress; `clock` when absent. */
  readonly venueNow?: () => number;
  /** Days from which rows were removed since: no row left there need show it. */
  readonly undone?: readonly string[];
  /** Days to skip. */
  readonly made?: ReadonlySet<string>;
  /** Awaited before another day starts in its slot. */
  readonly onMade?: (day: string) => Promise<void>;
  /** `reached` is the slice count for days made together, otherwise the day. */
  readonly onProgress?: (derivation: string, reached: string, done: number, of: number) => void;
  /** Schedules the run of a day; one at a time when absent. */
  readonly withLock?: InTurn;
};

/**
 * Derives every day that changed since a time (Unix ms), or all days, starting with the oldest. Returns the number of
 * days made.
 * Throws StoreError, or the signal's reason between two days, once none is under way.
 */
export async function deriveDays(
  derivation: DaysDerivation,
  sinceMs: number | undefined,
  run: DaysRun,
): Promise<number> {
  const { store, signal } = run;
  const now = run.venueNow?.() ?? run.clock.now();
  const today = dayOf(now / 1000);
  const since =
    sinceMs === undefined ? undefined : bind("UInt64", String(BigInt(Math.max(0, Math.floor(sinceMs))) * 1000n));
  const touched = derivation.touched({ since, today: bind("Date", today) });
  const found = await store.rows<{ day: string }>(touched, { settings: DAY_READING });
  const changed = new Set([...found.map(({ day }) => day), ...(run.undone ?? [])]);
  const days = [...changed].filter((day) => day <= today && !run.made?.has(day)).sort();
  const { withLock = createLimiter(1) } = run;
  if ("slices" in derivation) {
    signal.throwIfAborted();
    const onSlice = (done: number, of: number): void =>
      run.onProgress?.(derivation.name, `${done} of ${of} slices`, done, of);
    if (days.length > 0) await withLock(() => runDays(derivation, days, { ...run, onSlice }));
    return days.length;
  }
  let done = 0;
  const made = async (day: string): Promise<void> => {
    done += 1;
    await run.onMade?.(day);
    run.onProgress?.(derivation.name, day, done, days.length);
  };
  const makeDays = async (some: readonly string[]): Promise<void> => {
    signal.throwIfAborted();
    await runDays(derivation, some, run);
    for (const day of some) {
      signal.throwIfAborted();
      await made(day);
    }
  };
  const parts = await partsBySize(derivation.sizes, days, store);
  if (derivation.readsEarlierDays) for (const some of parts) await withLock(() => makeDays(some));
  else await eachInTurn(parts, withLock, makeDays);
  return days.length;
}

const MOST = 1_000_000;

/** Splits days (ascending) into parts of up to a million in total size; a larger day is a part of its own. */
export async function partsBySize(
  sizes: (days: Bound) => Sql,
  days: readonly string[],
  store: Pick<Store, "rows">,
): Promise<string[][]> {
  if (days.length === 0) return [];
  const found = await store.rows<{ day: string; size: string }>(sizes(bind("Array(Date)", days)), { settings });
  const sizeOf = new Map(found.map(({ day, size }) => [day, Number(size)]));
  const parts: string[][] = [];
  let left = 0;
  for (const day of days) {
    const size = sizeOf.get(day) ?? 0;
    if (size > left || parts.length === 0) {
      parts.push([]);
      left = MOST;
    }
    left -= size;
    parts.at(-1)?.push(day);
  }
  return parts;
}
