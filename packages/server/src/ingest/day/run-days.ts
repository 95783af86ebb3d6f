import { amongDays } from "../../definition/filter.ts";
import type { DaysDerivation, ReadBytes } from "../../definition/day-derivation.ts";
import type { Slice } from "../../definition/derivation.ts";
import type { PackedRows } from "../../definition/packed-rows.ts";
import { bind, sql, type Sql } from "../../definition/sql.ts";
import type { Store } from "../../store/store.ts";
import {
  DAY_READING as settings,
  DayPrints,
  findPrints,
  isStoredAs,
  printsOfRows,
  endDays,
  nextVersion,
} from "./day-rows.ts";
import type { Clock } from "../clock.ts";
import type { OnDerived } from "../remake.ts";

export type RunOfDays = {
  readonly store: Pick<Store, "rows" | "read" | "run" | "appendChosen">;
  readonly clock: Clock;
  readonly onDerived?: OnDerived;
  readonly signal: AbortSignal;
  /** Called after each slice, counting those of both passes if there are two. */
  readonly onSlice?: (done: number, of: number) => void;
  /** Maximum rows kept from one pass to the next, instead of making them again. */
  readonly maxKept?: number;
};

const MAX_KEPT = 200_000;
/** A market is never split, however many fills it has. */
const READING = { ...settings, max_result_bytes: 0 };

/**
 * Derives some UTC days (YYYY-MM-DD) again whose rows are made together. If any has rows, it first finds the days whose
 * stored rows differ and writes only those, so that nothing that depends on the others is rebuilt. The result is
 * consistent only at its end: obsolete rows are retracted last. An interrupted run starts over. Throws StoreError, or
 * the signal's reason between two slices.
 */
export async function runDays(derivation: DaysDerivation, days: readonly string[], run: RunOfDays): Promise<void> {
  const { store, clock, onDerived } = run;
  const { into } = derivation;
  const { isFirst } = await nextVersion(store, into, among(days), clock);
  const passes = isFirst ? 1 : 2;
  const found = isFirst ? { changed: days } : await findChanged(derivation, days, inPass(run, 0, passes));
  const { changed, kept } = found;
  if (changed.length === 0) return;
  const begun = await nextVersion(store, into, among(changed), clock);
  const write = (rows: PackedRows): Promise<void> =>
    store.appendChosen(into, rows, String(begun.version.value), among(changed));
  try {
    if (kept) for (const rows of kept) await write(rows);
    else await eachSlice(derivation, changed, inPass(run, passes - 1, passes), write);
    await endDays(store, into, among(changed), begun);
  } finally {
    // After a failure too: if all rows are written, the next run finds nothing changed.
    onDerived?.(into);
  }
}

type Found = { readonly changed: readonly string[]; readonly kept?: readonly PackedRows[] | undefined };

/** The days whose stored rows differ from those made, and the rows of all days if they are few. */
async function findChanged(derivation: DaysDerivation, days: readonly string[], run: RunOfDays): Promise<Found> {
  const { store, maxKept = MAX_KEPT } = run;
  const { into } = derivation;
  const stored = await findPrints(store, into, among(days));
  if (stored === undefined) return { changed: days };
  const made = new DayPrints();
  let [kept, count]: [PackedRows[] | undefined, number] = [[], 0];
  await eachSlice(derivation, days, run, async (rows) => {
    made.add(await printsOfRows(store, into, rows));
    count += rows.starts.length;
    if (count <= maxKept) kept?.push(rows);
    else kept = undefined;
  });
  return { changed: days.filter((day) => !isStoredAs(stored, made, day)), kept };
}

async function eachSlice(
  derivation: DaysDerivation,
  days: readonly string[],
  { store, signal, onSlice }: RunOfDays,
  take: (rows: PackedRows) => Promise<void>,
): Promise<void> {
  const bound = bind("Array(Date)", days);
  const readBytes: ReadBytes = (statement, format) => store.read(statement, { format, settings: READING });
  const slices =
    "slices" in derivation
      ? await store.rows<Slice>(derivation.slices(bound), { settings })
      : [{ first: days[0] ?? "", last: days.at(-1) ?? "" }];
  for (const [index, slice] of slices.entries()) {
    signal.throwIfAborted();
    for await (const rows of derivation.rowsOfSlice(bound, slice, readBytes)) await take(rows);
    onSlice?.(index + 1, slices.length);
  }
}

const among = (days: readonly string[]): Sql => amongDays(sql`day`, bind("Array(Date)", days));

function inPass(run: RunOfDays, pass: number, passes: number): RunOfDays {
  const { onSlice } = run;
  return onSlice ? { ...run, onSlice: (done, of) => onSlice(pass * of + done, passes * of) } : run;
}
