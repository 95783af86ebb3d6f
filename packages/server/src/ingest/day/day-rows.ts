import { bind, fromDefinition, joined, name, sql, type Bound, type Sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { PLANNED_LESS } from "../../store/planned-less.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../clock.ts";
import { FIND_SECONDS } from "../find-seconds.ts";
import type { PackedRows } from "../../definition/packed-rows.ts";
import { sentRows } from "../../store/stage-rows.ts";
import { StoreError } from "../../store/statement.ts";

/**
 * For reads of what a day or a refresh is made of: they take what the statement takes that stores it, which has no bounds of a
 * caller's question. The engine's own bound of memory holds for both.
 */
export const DAY_READING = { max_execution_time: FIND_SECONDS, max_memory_usage: 0, ...PLANNED_LESS };

type Print = { readonly day: string; readonly rows: string; readonly hash: string };

/** Of each day the number of its rows and a hash of all of them, in any order; added up from parts of the rows. */
export class DayPrints {
  readonly #days = new Map<string, { readonly rows: bigint; readonly hash: bigint }>();

  add(prints: readonly Print[]): void {
    for (const { day, rows, hash } of prints) {
      const before = this.#days.get(day) ?? { rows: 0n, hash: 0n };
      this.#days.set(day, { rows: before.rows + BigInt(rows), hash: before.hash ^ BigInt(hash) });
    }
  }

  /** As text, by which prints are compared. */
  of(day: string): string {
    const { rows, hash } = this.#days.get(day) ?? { rows: 0n, hash: 0n };
    return `${rows} ${hash}`;
  }
}

const ofEachDay = (into: TableDefinition, rows: Sql): Sql =>
  sql`SELECT toString(day) AS day, toString(print.1) AS rows, toString(print.2) AS hash FROM (SELECT day, ${printOf(into)} AS print FROM ${rows} GROUP BY day)`;

/** What the table and each of its copies hold of some days (a condition). */
export const storedRows = (into: TableDefinition, ofDays: Sql): Sql[] =>
  tablesOf(into).map((table) => sql`(SELECT * FROM ${name(table)} FINAL WHERE ${ofDays} AND NOT is_gone)`);

/** Prints of each of some tables of rows; undefined where time or memory do not suffice to tell. Throws StoreError. */
export async function findPrints(
  store: Pick<Store, "rows">,
  into: TableDefinition,
  all: readonly Sql[],
): Promise<DayPrints[] | undefined> {
  const found: DayPrints[] = [];
  try {
    for (const rows of all) {
      const prints = new DayPrints();
      prints.add(await store.rows<Print>(ofEachDay(into, rows), { settings: DAY_READING }));
      found.push(prints);
    }
    return found;
  } catch (error) {
    if (error instanceof StoreError && (error.kind === "timeout" || error.kind === "memory")) return undefined;
    throw error;
  }
}

/** The same of rows that are not stored yet. */
export function printsOfRows(store: Pick<Store, "rows">, into: TableDefinition, rows: PackedRows): Promise<Print[]> {
  const { data, staged } = sentRows(into, rows);
  const sent = { name: "made_rows", structure: staged.structure, format: staged.format, rows: data };
  return store.rows<Print>(ofEachDay(into, sql`made_rows`), { settings: DAY_READING, sent });
}

/** What the machinery fills. */
const OWN = new Set(["day", "is_gone", "version"]);

export const madeOf = (into: TableDefinition): string[] =>
  Object.keys(into.columns).filter((column) => !OWN.has(column));

export const listOf = (columns: readonly string[]): Sql => joined(columns.map(name), fromDefinition(", "));

/** The table and its copies. */
const tablesOf = (into: TableDefinition): string[] => [into.name, ...Object.keys(into.copies ?? {})];

/**
 * Number of rows and a hash of all of them, in any order, as the table would hold them; of those that a condition chooses.
 * They are hashed as tuples: of several values the engine makes a null where one of them is null.
 */
export const printOf = (into: TableDefinition, chosen: Sql = sql`true`): Sql => {
  const held = madeOf(into).map((column) => sql`CAST(${name(column)}, ${literal(into.columns[column]?.stored ?? "")})`);
  return sql`tuple(countIf(${chosen}), groupBitXorIf(cityHash64(tuple(${joined(held, fromDefinition(", "))})), ${chosen}))`;
};

const literal = (type: string): Sql => fromDefinition(`'${type.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`);

/** Above all that is stored of the days that a condition chooses, whatever the clock says. */
export async function nextVersion(store: Pick<Store, "rows">, into: TableDefinition, ofDays: Sql, clock: Clock) {
  const [row] = await store.rows<{ last: string }>(
    sql`SELECT toString(max(version)) AS last FROM ${into} WHERE ${ofDays}`,
    { settings: DAY_READING },
  );
  const now = BigInt(Math.floor(clock.now())) * 1000n;
  const last = BigInt(row?.last ?? 0);
  return { version: bind("UInt64", String(now > last ? now : last + 1n)), isFirst: last === 0n };
}

/**
 * Ends what began to write all rows of some days: those of older versions are taken back, unless it is the first time
 * that there are any, and the copies get what the table got.
 */
export async function endDays(
  store: Pick<Store, "run">,
  into: TableDefinition,
  ofDays: Sql,
  { version, isFirst }: Awaited<ReturnType<typeof nextVersion>>,
): Promise<void> {
  if (!isFirst) await store.run(takeBack(into, ofDays, version), PLANNED_LESS);
  for (const copy of Object.keys(into.copies ?? {})) {
    const columns = listOf(Object.keys(into.columns));
    await store.run(
      sql`INSERT INTO ${name(copy)} (${columns}) SELECT ${columns} FROM ${into} WHERE ${ofDays} AND version = ${version}`,
    );
  }
}

/**
 * A copy gets the rows of this version alone: what was taken back before is said again, since the run that did may have
 * been ended before its copy got all.
 */
function takeBack(into: TableDefinition, ofDays: Sql, version: Bound): Sql {
  const kept = Object.keys(into.columns).filter((column) => column !== "is_gone" && column !== "version");
  const list = listOf(kept);
  const which = into.copies ? sql`` : sql` AND NOT is_gone`;
  return sql`INSERT INTO ${into} (${list}, is_gone, version) SELECT ${list}, true, ${version} FROM ${into} FINAL WHERE ${ofDays} AND version < ${version}${which}`;
}
