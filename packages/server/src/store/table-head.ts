import type { BlockScope } from "../definition/block-scope.ts";
import { isPacked, type PackedRows } from "../definition/packed-rows.ts";
import type { Sql } from "../definition/sql.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import { FEW_ROWS } from "./insert-settings.ts";
import { NewestBlock, type Newest } from "./newest-block.ts";
import { NewestMoment } from "./newest-moment.ts";
import { rowKey } from "./row-key.ts";

type Read = <T>(statement: Sql) => Promise<T | undefined>;

/** What the one writer of a table knows of its newest rows: of what is newer nothing need be compared. */
export class TableHead {
  readonly #table: TableDefinition;
  readonly #block: NewestBlock;
  readonly #moment: NewestMoment;

  constructor(table: TableDefinition) {
    this.#table = table;
    this.#block = new NewestBlock(table);
    this.#moment = new NewestMoment(table);
  }

  /** The table has no row of these blocks. */
  isBefore(scope: BlockScope): boolean {
    return this.#block.isBefore(scope);
  }

  /** None of the rows is stored, and each key is given once; of a run of blocks where they are all of it. */
  async areNew(rows: readonly InsertRow[] | PackedRows, read: Read, scope?: BlockScope): Promise<boolean> {
    if (isPacked(rows) || rows.length > FEW_ROWS) return false;
    const question = scope === undefined ? this.#moment.question() : undefined;
    if (question !== undefined) this.#moment.learn((await read<{ newest: number }>(question))?.newest ?? 0);
    const isNewer = scope === undefined ? this.#moment.isBefore(rows) : this.#block.hasNoneOf(scope);
    return isNewer && new Set(rows.map((row) => rowKey(this.#table, row))).size === rows.length;
  }

  /** Before rows are stored. */
  note(rows: readonly InsertRow[] | PackedRows): void {
    this.#block.note(rows);
    this.#moment.note(rows);
  }

  /** After the rows of a run of blocks were stored. */
  async learn(scope: BlockScope, read: Read): Promise<void> {
    if (this.#block.isKnown()) return;
    this.#block.learn((await read<Newest>(this.#block.question(scope))) ?? { block: 0, stand_in: 0 }, scope);
  }

  /** Rows may have been stored that were not told here. */
  forget(): void {
    this.#block.forget();
    this.#moment.forget();
  }
}
