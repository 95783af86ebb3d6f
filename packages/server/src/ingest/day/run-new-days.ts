import { amongDays } from "../../definition/among-days.ts";
import type { SingleDayDerivation } from "../../definition/day-derivation.ts";
import { bind, sql } from "../../definition/sql.ts";
import { PLANNED_LESS } from "../../store/planned-less.ts";
import { endDays, listOf, madeOf, nextVersion } from "./day-rows.ts";
import type { DayRun } from "./run-day.ts";

/** What lies by other keys than days is read once for so many of them. */
export const DAYS_TOGETHER = 8;

/**
 * Works days out together by one SELECT, where none of them has any rows: false where one has, and nothing is done.
 * Throws StoreError.
 */
export async function runNewDays(
  { into, selectDays }: Extract<SingleDayDerivation, { readonly selectDays: unknown }>,
  days: readonly string[],
  { store, clock, onDerived }: DayRun,
): Promise<boolean> {
  const asked = bind("Array(Date)", days);
  const among = amongDays(sql`day`, asked);
  const begun = await nextVersion(store, into, among, clock);
  if (!begun.isFirst) return false;
  const made = listOf([...madeOf(into), "day"]);
  await store.run(
    sql`INSERT INTO ${into} (${made}, is_gone, version) SELECT ${made}, false, ${begun.version} FROM (${selectDays(asked)})`,
    PLANNED_LESS,
  );
  await endDays(store, into, among, begun);
  onDerived?.(into);
  return true;
}
