import type { PackedRows } from "../../definition/packed-rows.ts";
import { name, sql, type Sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { sentRows } from "../../store/sent-rows.ts";
import { StoreError } from "../../store/store-error.ts";
import type { Store } from "../../store/store.ts";
import { DAY_READING as settings } from "./day-reading.ts";
import { printOf, tablesOf } from "./day-rows.ts";

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

/**
 * What the table and each of its copies hold of some days (a condition); undefined where time or memory do not suffice
 * to tell. Throws StoreError.
 */
export async function findPrints(
  store: Pick<Store, "rows">,
  into: TableDefinition,
  ofDays: Sql,
): Promise<DayPrints[] | undefined> {
  const found: DayPrints[] = [];
  try {
    for (const table of tablesOf(into)) {
      const rows = sql`(SELECT * FROM ${name(table)} FINAL WHERE ${ofDays} AND NOT is_gone)`;
      const prints = new DayPrints();
      prints.add(await store.rows<Print>(ofEachDay(into, rows), { settings }));
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
  return store.rows<Print>(ofEachDay(into, sql`made_rows`), { settings, sent });
}
