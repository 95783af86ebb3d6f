import type { SingleDayDerivation } from "../../definition/day-derivation.ts";
import { bind, fromDefinition, joined, name, sql, type Bound, type Sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { PLANNED_LESS } from "../../store/planned-less.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../clock.ts";
import {
  DAY_READING as settings,
  DAY_READING,
  endDays,
  listOf,
  madeOf,
  nextVersion,
  printOf,
  tablesOf,
} from "./day-rows.ts";
import { StoreError } from "../../store/statement.ts";
import { amongDays } from "../../definition/among-days.ts";

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

/**
 * Whether the rows of a SELECT are those that the table and each of its copies hold of the day; not, where time or
 * memory do not suffice to tell. Throws StoreError.
 */
async function isStoredAlike(
  store: Pick<Store, "rows">,
  into: TableDefinition,
  select: Sql,
  day: Bound,
): Promise<boolean> {
  const print = printOf(into);
  const made = sql`(SELECT ${print} FROM (${select}))`;
  const held = tablesOf(into).map(
    (table) =>
      sql`(SELECT ${print} FROM (SELECT * FROM ${name(table)} FINAL WHERE day = ${day} AND NOT is_gone)) = made`,
  );
  const same = sql`WITH ${made} AS made SELECT ${joined(held, fromDefinition(" AND "))} AS same`;
  try {
    const [found] = await store.rows<{ same: number | boolean }>(same, { settings: DAY_READING });
    return Boolean(found?.same);
  } catch (error) {
    if (error instanceof StoreError && (error.kind === "timeout" || error.kind === "memory")) return false;
    throw error;
  }
}

export type DayRun = {
  readonly store: Pick<Store, "rows" | "read" | "run" | "append">;
  readonly clock: Clock;
  readonly onDerived?: (table: TableDefinition) => void;
};

/**
 * Works one UTC day (YYYY-MM-DD) of a derivation out again. What it made is read as a whole only at its end: rows that
 * it made no more are taken back last. Rows of a SELECT that are stored already are not written again, so that nothing
 * that hangs on them is made anew. Throws StoreError.
 */
export async function runDay(
  derivation: SingleDayDerivation,
  day: string,
  { store, clock, onDerived }: DayRun,
): Promise<void> {
  const { into } = derivation;
  const at = bind("Date", day);
  const ofDay = sql`day = ${at}`;
  const begun = await nextVersion(store, into, ofDay, clock);
  const { version, isFirst } = begun;
  const select = "selectDays" in derivation ? derivation.selectDays(bind("Array(Date)", [day])) : undefined;
  if (select !== undefined) {
    if (!isFirst && (await isStoredAlike(store, into, select, at))) return;
    await store.run(insertOf(into, select, at, version), PLANNED_LESS);
  } else if ("rows" in derivation) {
    const own = { day, is_gone: false, version: version.value };
    const made = derivation.rows(
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
  }
  await endDays(store, into, ofDay, begun);
  onDerived?.(into);
}

function insertOf(into: TableDefinition, select: Sql, day: Bound, version: Bound): Sql {
  const made = listOf(madeOf(into));
  return sql`INSERT INTO ${into} (${made}, day, is_gone, version) SELECT ${made}, ${day}, false, ${version} FROM (${select})`;
}
