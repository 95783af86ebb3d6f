import { amongDays } from "../../definition/among-days.ts";
import type { SelectedDaysDerivation } from "../../definition/day-derivation.ts";
import { bind, sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { PLANNED_LESS } from "../../store/planned-less.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../clock.ts";
import { endDays, findPrints, isStoredAs, listOf, madeOf, nextVersion, ordersOf, storedRows } from "./day-rows.ts";

/**
 * Works some UTC days (YYYY-MM-DD) out again by one SELECT. Where any of them has rows those days alone are written whose
 * rows are not stored like this, so that nothing that hangs on the others is made anew. Throws StoreError.
 */
export async function runSelectedDays(
  { into, selectDays }: SelectedDaysDerivation,
  days: readonly string[],
  { store, clock, onDerived }: DayRun,
): Promise<void> {
  const asked = bind("Array(Date)", days);
  const ofDays = amongDays(sql`day`, asked);
  const begun = await nextVersion(store, into, ofDays, clock);
  const selected = { rows: sql`(${selectDays(asked)})`, orders: ordersOf(into) };
  const rows = [selected, ...storedRows(into, ofDays)];
  const [made, ...held] = (begun.isFirst ? undefined : await findPrints(store, into, rows)) ?? [];
  const changed = days.filter((day) => made === undefined || !isStoredAs(held, made, day));
  if (changed.length === 0) return;
  const wanted = bind("Array(Date)", changed);
  const list = listOf([...madeOf(into), "day"]);
  await store.run(
    sql`INSERT INTO ${into} (${list}, is_gone, version) SELECT ${list}, false, ${begun.version} FROM (${selectDays(wanted)})`,
    PLANNED_LESS,
  );
  await endDays(store, into, amongDays(sql`day`, wanted), begun);
  onDerived?.(into);
}

export type DayRun = {
  readonly store: Pick<Store, "rows" | "read" | "run">;
  readonly clock: Clock;
  readonly onDerived?: (table: TableDefinition) => void;
};
