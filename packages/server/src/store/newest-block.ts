import type { BlockScope } from "../definition/spans.ts";
import { isPacked, type PackedRows } from "../definition/packed-rows.ts";
import { fromDefinition, sql, type Sql } from "../definition/sql.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import { isProvisional, provisionalRows } from "./provisional-rows.ts";
import { sinceOf } from "./stale-rows.ts";
import { zonedTimestamp } from "./newest-timestamp.ts";

/** Result of the query: the newest block number, and the Unix second of the newest stand-in row. */
export type Newest = { readonly block: number; readonly stand_in: number };

/**
 * Tracks the block after which a table has no rows, as known to its only writer: most block ranges have no rows in most
 * tables, so that nothing needs to be queried for them until rows are stored.
 */
export class NewestBlock {
  readonly #table: TableDefinition;
  #block: number | undefined;
  #provisional = 0;

  constructor(table: TableDefinition) {
    this.#table = table;
  }

  isBefore({ from, dropped = [] }: BlockScope): boolean {
    return this.#block !== undefined && this.#block < from && dropped.length === 0;
  }

  /** Whether nothing is stored of a block range, nor any stand-in row that its rows could replace. */
  hasNoneOf(scope: BlockScope): boolean {
    const within = this.#table.provisional?.withinSeconds ?? 0;
    return this.isBefore(scope) && this.#provisional + within < zonedTimestamp(scope.since) / 1000;
  }

  isKnown(): boolean {
    return this.#block !== undefined;
  }

  /** Returns the query for the newest block from the start of a block range on. */
  question(scope: BlockScope): Sql {
    const { provisional, keyRange } = this.#table;
    const newestProvisional = provisional
      ? `maxIf(toUnixTimestamp(${keyRange}), ${provisionalRows(provisional)})`
      : "0";
    const newest = fromDefinition(`toUInt32(max(block_number)) AS block, toUInt32(${newestProvisional}) AS stand_in`);
    return sql`SELECT ${newest} FROM ${this.#table} WHERE ${sinceOf(this.#table, scope)}`;
  }

  /** Takes the result of the query for a block range: no stored row is newer. */
  learn({ block, stand_in }: Newest, { from }: BlockScope): void {
    this.#block = Math.max(block, from - 1);
    this.#provisional = stand_in;
  }

  /** Called before rows are stored. */
  note(rows: readonly InsertRow[] | PackedRows): void {
    if (this.#block === undefined) return;
    if (isPacked(rows)) return this.forget();
    const { provisional, keyRange = "" } = this.#table;
    for (const row of rows) {
      this.#block = Math.max(this.#block, Number(row["block_number"] ?? 0));
      if (provisional && isProvisional(provisional, row))
        this.#provisional = Math.max(this.#provisional, secondOf(String(row[keyRange])));
    }
  }

  /** Called when rows may have been stored that were not noted here. */
  forget(): void {
    this.#block = undefined;
  }
}

/** Returns the Unix second; infinite for a time that is not text with a time zone, so that it counts as the newest. */
function secondOf(timestamp: unknown): number {
  const milliseconds = zonedTimestamp(timestamp);
  return Number.isNaN(milliseconds) ? Number.POSITIVE_INFINITY : Math.floor(milliseconds / 1000);
}
