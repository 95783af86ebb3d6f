import type { DayDerivation } from "../../definition/day-derivation.ts";
import { bind, fromDefinition, joined, name, sql, type Bound, type Sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { PLANNED_LESS } from "../../store/planned-less.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../clock.ts";
import { DAY_READING as settings, DAY_READING } from "./day-reading.ts";
import { StoreError } from "../../store/store-error.ts";

/** Number of rows and a hash of all of them, in any order, as the table would hold them. */
const printOf = (rows: Sql, into: TableDefinition, columns: readonly string[]): Sql => {
  const held = columns.map((column) => sql`CAST(${name(column)}, ${literal(into.columns[column]?.stored ?? "")})`);
  return sql`(SELECT tuple(count(), groupBitXor(cityHash64(${joined(held, fromDefinition(", "))}))) FROM ${rows})`;
};

const literal = (type: string): Sql => fromDefinition(`'${type.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`);

/**
 * Whether the rows of a SELECT are those that the table and each of its copies hold of the day; not, where time or
 * memory do not suffice to tell. Throws StoreError.
 */
async function isStoredAlike(
  store: Pick<Store, "rows">,
  into: TableDefinition,
  columns: readonly string[],
  select: Sql,
  day: Bound,
): Promise<boolean> {
  const made = printOf(sql`(${select})`, into, columns);
  const tables = [into.name, ...Object.keys(into.copies ?? {})];
  const held = tables.map((table) => {
    const rows = sql`(SELECT * FROM ${name(table)} FINAL WHERE day = ${day} AND NOT is_gone)`;
    return sql`${printOf(rows, into, columns)} = made`;
  });
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

/** What the machinery fills. */
const OWN = new Set(["day", "is_gone", "version"]);

/**
 * Works one UTC day (YYYY-MM-DD) of a derivation out again. What it made is read as a whole only at its end: rows that
 * it made no more are taken back last. Rows of a SELECT that are stored already are not written again, so that nothing
 * that hangs on them is made anew. Throws StoreError.
 */
export async function runDay(
  derivation: DayDerivation,
  day: string,
  { store, clock, onDerived }: DayRun,
): Promise<void> {
  const { into } = derivation;
  const at = bind("Date", day);
  const { version, isFirst } = await nextVersion(store, into, at, clock);
  if ("select" in derivation) {
    const select = derivation.select(at);
    if (!isFirst && (await isStoredAlike(store, into, madeOf(into), select, at))) return;
    await store.run(insertOf(into, select, at, version), PLANNED_LESS);
  } else {
    const own = { day, is_gone: false, version: version.value };
    const rowsOf = "rows" in derivation ? derivation.rows : derivation.rowsOfRun([day]);
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
  }
  if (!isFirst) await store.run(takeBack(into, at, version), PLANNED_LESS);
  for (const copy of Object.keys(into.copies ?? {})) {
    const columns = listOf(Object.keys(into.columns));
    await store.run(
      sql`INSERT INTO ${name(copy)} (${columns}) SELECT ${columns} FROM ${into} WHERE day = ${at} AND version = ${version}`,
    );
  }
  onDerived?.(into);
}

/** Above all that is stored of the day, whatever the clock says. */
async function nextVersion(store: DayRun["store"], into: TableDefinition, day: Bound, clock: Clock) {
  const [row] = await store.rows<{ last: string }>(
    sql`SELECT toString(max(version)) AS last FROM ${into} WHERE day = ${day}`,
    { settings },
  );
  const now = BigInt(Math.floor(clock.now())) * 1000n;
  const last = BigInt(row?.last ?? 0);
  return { version: bind("UInt64", String(now > last ? now : last + 1n)), isFirst: last === 0n };
}

function insertOf(into: TableDefinition, select: Sql, day: Bound, version: Bound): Sql {
  const made = listOf(madeOf(into));
  return sql`INSERT INTO ${into} (${made}, day, is_gone, version) SELECT ${made}, ${day}, false, ${version} FROM (${select})`;
}

const madeOf = (into: TableDefinition): string[] => Object.keys(into.columns).filter((column) => !OWN.has(column));

/**
 * A copy gets the rows of this version alone: what was taken back before is said again, since the run that did may have
 * been ended before its copy got all.
 */
function takeBack(into: TableDefinition, day: Bound, version: Bound): Sql {
  const kept = Object.keys(into.columns).filter((column) => column !== "is_gone" && column !== "version");
  const list = listOf(kept);
  const which = into.copies ? sql`` : sql` AND NOT is_gone`;
  return sql`INSERT INTO ${into} (${list}, is_gone, version) SELECT ${list}, true, ${version} FROM ${into} FINAL WHERE day = ${day} AND version < ${version}${which}`;
}

const listOf = (columns: readonly string[]): Sql => joined(columns.map(name), fromDefinition(", "));
