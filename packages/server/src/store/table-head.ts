import type { BlockScope } from "../definition/spans.ts";
import { isPacked, type PackedRows } from "../definition/packed-rows.ts";
import type { Sql } from "../definition/sql.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import { FEW_ROWS } from "./statement-settings.ts";
import { NewestBlock, type Newest } from "./newest-block.ts";
import { NewestTimestamp } from "./newest-timestamp.ts";
import { rowKey } from "./keep-fresh.ts";

type Read = <T>(statement: Sql) => Promise<T | undefined>;

/** Tracks the newest rows of a table for its only writer: newer rows need no comparison. */
export class TableHead {
  readonly #table: TableDefinition;
  readonly #block: NewestBlock;
  readonly #timestamp: NewestTimestamp;

  constructor(table: TableDefinition) {
    this.#table = table;
    this.#block = new NewestBlock(table);
    this.#timestamp = new NewestTimestamp(table);
  }

  /** Whether the table has no row of these blocks or later ones. */
  isBefore(scope: BlockScope): boolean {
    return this.#block.isBefore(scope);
  }

  /**
   * Whether none of the rows is stored and their keys are distinct; with a scope, the rows are complete for its blocks.
   */
  async areNew(rows: readonly InsertRow[] | PackedRows, read: Read, scope?: BlockScope): Promise<boolean> {
    if (isPacked(rows) || rows.length > FEW_ROWS) return false;
    const question = scope === undefined ? this.#timestamp.question() : undefined;
    if (question !== undefined) this.#timestamp.learn((await read<{ newest: number }>(question))?.newest ?? 0);
    const isNewer = scope === undefined ? this.#timestamp.isBefore(rows) : this.#block.hasNoneOf(scope);
    return isNewer && new Set(rows.map((row) => rowKey(this.#table, row))).size === rows.length;
  }

  /** Called before rows are stored. */
  note(rows: readonly InsertRow[] | PackedRows): void {
    this.#block.note(rows);
    this.#timestamp.note(rows);
  }

  /** Called after the rows of a block range were stored. */
  async learn(scope: BlockScope, read: Read): Promise<void> {
    if (this.#block.isKnown()) return;
    this.#block.learn((await read<Newest>(this.#block.question(scope))) ?? { block: 0, stand_in: 0 }, scope);
  }

  /** Called when rows may have been stored that were not noted here. */
  forget(): void {
    this.#block.forget();
    this.#timestamp.forget();
  }
}
