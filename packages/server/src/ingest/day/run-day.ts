import { amongDays } from "../../definition/among-days.ts";
import type { SingleDayDerivation } from "../../definition/day-derivation.ts";
import { bind, sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { PLANNED_LESS } from "../../store/planned-less.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../clock.ts";
import { DAY_READING as settings, endDays, findPrints, listOf, madeOf, nextVersion, storedRows } from "./day-rows.ts";

/**
 * Works some UTC days (YYYY-MM-DD) out again by one SELECT. Where any of them has rows those days alone are written whose
 * rows are not stored like this, so that nothing that hangs on the others is made anew. Throws StoreError.
 */
export async function runSelectedDays(
  { into, selectDays }: Extract<SingleDayDerivation, { readonly selectDays: unknown }>,
  days: readonly string[],
  { store, clock, onDerived }: DayRun,
): Promise<void> {
  const asked = bind("Array(Date)", days);
  const ofDays = amongDays(sql`day`, asked);
  const begun = await nextVersion(store, into, ofDays, clock);
  const rows = [sql`(${selectDays(asked)})`, ...storedRows(into, ofDays)];
  const [made, ...held] = (begun.isFirst ? undefined : await findPrints(store, into, rows)) ?? [];
  const changed = days.filter((day) => made === undefined || held.some((prints) => prints.of(day) !== made.of(day)));
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
  readonly store: Pick<Store, "rows" | "read" | "run" | "append">;
  readonly clock: Clock;
  readonly onDerived?: (table: TableDefinition) => void;
};

/**
 * Works one UTC day (YYYY-MM-DD) of a derivation out again. What it made is read as a whole only at its end: rows that
 * it made no more are taken back last. Throws StoreError.
 */
export async function runDay(
  { into, rows: rowsOf }: Extract<SingleDayDerivation, { readonly rows: unknown }>,
  day: string,
  { store, clock, onDerived }: DayRun,
): Promise<void> {
  const at = bind("Date", day);
  const ofDay = sql`day = ${at}`;
  const begun = await nextVersion(store, into, ofDay, clock);
  const own = { day, is_gone: false, version: begun.version.value };
  const made = rowsOf(
    at,
    (statement) => store.rows(statement, { settings }),
    (statement, format) => store.read(statement, { format, settings }),
  );
  for await (const rows of made) {
    await store.append(
      into,
      rows.map((row) => Object.assign({}, row, own)),
    );
  }
  await endDays(store, into, ofDay, begun);
  onDerived?.(into);
}
