import { bind, fromDefinition, joined, name, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { columnsIn, type TableDefinition } from "../../definition/table.ts";
import { PLANNED_LESS } from "../../store/statement-settings.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../clock.ts";
import { FIND_SECONDS } from "../find-seconds.ts";
import { versionAhead } from "../rebuild.ts";
import type { PackedRows } from "../../definition/packed-rows.ts";
import { sentRows } from "../../store/stage-rows.ts";
import { StoreError } from "../../store/statement.ts";

/**
 * For reads that a day or a refresh is made of: the settings of the statement that stores it, without the bounds of a
 * client's query. The engine's own memory bound applies to both.
 */
export const DAY_READING = { max_execution_time: FIND_SECONDS, max_memory_usage: 0, ...PLANNED_LESS };

type Print = { readonly day: string; readonly rows: string; readonly hashes: readonly string[] };

/**
 * Per day, the number of rows and order-independent hashes of all of them, one per column list; added up from parts of
 * the rows.
 */
export class DayPrints {
  readonly #days = new Map<string, { readonly rows: bigint; readonly hashes: readonly bigint[] }>();

  add(prints: readonly Print[]): void {
    for (const { day, rows, hashes } of prints) {
      const before = this.#days.get(day);
      this.#days.set(day, {
        rows: (before?.rows ?? 0n) + BigInt(rows),
        hashes: hashes.map((hash, place) => (before?.hashes[place] ?? 0n) ^ BigInt(hash)),
      });
    }
  }

  /** As text, to compare prints of the same columns; `place` is the index of the column list. */
  of(day: string, place = 0): string {
    const { rows, hashes } = this.#days.get(day) ?? { rows: 0n, hashes: [] };
    return `${rows} ${hashes[place] ?? 0n}`;
  }
}

/** `orders`: the sort orders whose columns are hashed. */
const ofEachDay = (into: TableDefinition, rows: Sql, orders: readonly string[]): Sql =>
  sql`SELECT toString(day) AS day, toString(print.1) AS rows, arrayMap(hash -> toString(hash), print.2) AS hashes FROM (SELECT day, ${printOf(into, orders)} AS print FROM ${rows} GROUP BY day)`;

/**
 * Prints of the rows of some days (a condition) in the table and each of its copies; undefined if time or memory runs
 * out. Throws StoreError.
 */
export async function findPrints(
  store: Pick<Store, "rows">,
  into: TableDefinition,
  ofDays: Sql,
): Promise<DayPrints[] | undefined> {
  const found: DayPrints[] = [];
  try {
    for (const order of ordersOf(into)) {
      const rows = sql`(SELECT * FROM ${name(order)} FINAL WHERE ${ofDays} AND NOT is_gone)`;
      const prints = new DayPrints();
      prints.add(await store.rows<Print>(ofEachDay(into, rows, [order]), { settings: DAY_READING }));
      found.push(prints);
    }
    return found;
  } catch (error) {
    if (error instanceof StoreError && (error.kind === "timeout" || error.kind === "memory")) return undefined;
    throw error;
  }
}

/** Whether the stored rows of a day, in the order of `findPrints`, are those that were made. */
export const isStoredAs = (stored: readonly DayPrints[], made: DayPrints, day: string): boolean =>
  stored.every((prints, place) => prints.of(day) === made.of(day, place));

/** Prints of rows not stored yet, for the columns of every sort order. */
export function printsOfRows(store: Pick<Store, "rows">, into: TableDefinition, rows: PackedRows): Promise<Print[]> {
  const { data, staged } = sentRows(into, rows);
  const sent = { name: "made_rows", structure: staged.structure, format: staged.format, rows: data };
  return store.rows<Print>(ofEachDay(into, sql`made_rows`, ordersOf(into)), {
    settings: DAY_READING,
    sent,
  });
}

/** Columns that derivations do not compute. */
const OWN = new Set(["day", "is_gone", "version"]);

const madeOf = (into: TableDefinition, order: string): string[] =>
  columnsIn(into, order).filter((column) => !OWN.has(column));

const COMMA = fromDefinition(", ");

const listOf = (columns: readonly string[]): Sql => joined(columns.map(name), COMMA);

/** The table and its copies. */
const ordersOf = (into: TableDefinition): string[] => [into.name, ...Object.keys(into.copies ?? {})];

/**
 * The number of rows, and per sort order an order-independent hash of all rows as it would store them. Rows are hashed
 * as tuples: the engine's hash of several values is null if one of them is null.
 */
export const printOf = (into: TableDefinition, orders: readonly string[]): Sql => {
  const hashes = orders.map((order) => {
    const held = madeOf(into, order).map(
      (column) => sql`CAST(${name(column)}, ${literal(into.columns[column]?.stored ?? "")})`,
    );
    return sql`groupBitXor(cityHash64(tuple(${joined(held, COMMA)})))`;
  });
  return sql`tuple(count(), [${joined(hashes, COMMA)}])`;
};

const literal = (type: string): Sql => fromDefinition(`'${type.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`);

/**
 * A version above all stored ones, whatever the clock says: of these days, because the rows replace theirs, and of the
 * others, because an index reads only rows above the newest version that it has.
 */
export async function nextVersion(store: Pick<Store, "rows">, into: TableDefinition, ofDays: Sql, clock: Clock) {
  const [row] = await store.rows<{ last: string }>(
    sql`SELECT toString(max(version)) AS last FROM ${into} WHERE ${ofDays}`,
    { settings: DAY_READING },
  );
  const ahead = await versionAhead(into, { store, clock });
  const last = BigInt(row?.last ?? 0);
  return { version: bind("UInt64", String(ahead > last ? ahead : last + 1n)), isFirst: last === 0n };
}

/**
 * Completes writing all rows of some days: rows of older versions are retracted, unless these are the first, and copies
 * get what the table got.
 */
export async function endDays(
  store: Pick<Store, "run">,
  into: TableDefinition,
  ofDays: Sql,
  { version, isFirst }: Awaited<ReturnType<typeof nextVersion>>,
): Promise<void> {
  if (!isFirst) await store.run(retract(into, ofDays, version), PLANNED_LESS);
  for (const copy of Object.keys(into.copies ?? {})) {
    const columns = listOf(columnsIn(into, copy));
    await store.run(
      sql`INSERT INTO ${name(copy)} (${columns}) SELECT ${columns} FROM ${into} WHERE ${ofDays} AND version = ${version}`,
    );
  }
}

/**
 * Copies get only rows of this version, so earlier retractions are repeated for them: the run that made those may have
 * ended before its copy got all.
 */
function retract(into: TableDefinition, ofDays: Sql, version: Bound): Sql {
  const kept = Object.keys(into.columns).filter((column) => column !== "is_gone" && column !== "version");
  const list = listOf(kept);
  const which = into.copies ? sql`` : sql` AND NOT is_gone`;
  return sql`INSERT INTO ${into} (${list}, is_gone, version) SELECT ${list}, true, ${version} FROM ${into} FINAL WHERE ${ofDays} AND version < ${version}${which}`;
}
