import type { BlockScope } from "../definition/block-scope.ts";
import { isPacked, type PackedRows } from "../definition/packed-rows.ts";
import { sql, type Sql } from "../definition/sql.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import { sinceOf } from "./stale-rows.ts";

/**
 * Beyond which block a table has no rows, as its one writer knows: most runs of blocks have none of most tables, and of
 * these nothing need be asked as long as none is stored.
 */
export class NewestBlock {
  readonly #table: TableDefinition;
  #newest: number | undefined;

  constructor(table: TableDefinition) {
    this.#table = table;
  }

  isBefore({ from }: BlockScope): boolean {
    return this.#newest !== undefined && this.#newest < from;
  }

  isKnown(): boolean {
    return this.#newest !== undefined;
  }

  /** Asks for the newest block from a run of blocks on. */
  question(scope: BlockScope): Sql {
    return sql`SELECT toUInt32(max(block_number)) AS newest FROM ${this.#table} WHERE ${sinceOf(this.#table, scope)}`;
  }

  /** What was answered for a run of blocks: none is newer. */
  learn(newest: number, { from }: BlockScope): void {
    this.#newest = Math.max(newest, from - 1);
  }

  /** Before rows are stored. */
  note(rows: readonly InsertRow[] | PackedRows): void {
    if (this.#newest === undefined) return;
    if (isPacked(rows)) this.#newest = undefined;
    else for (const { block_number } of rows) this.#newest = Math.max(this.#newest, Number(block_number ?? 0));
  }

  /** Rows may have been stored that were not told here. */
  forget(): void {
    this.#newest = undefined;
  }
}
