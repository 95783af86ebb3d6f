import type { Batch } from "./batch.ts";
import { agreeIn, compareRows, haveOneSortKey } from "./order.ts";
import { Picks, type Rows } from "./rows.ts";
import { keyOfRow } from "./tree-key.ts";
import { type BlockTree, FULL_ROWS } from "./tree.ts";

/**
 * Builds one tree from rows ordered by (key, sort columns): full entries, each written once. A key that already has
 * rows, or that returns after another one, is refused.
 */
export class TreeBuilder {
  readonly #tree: BlockTree;
  #open = new Picks();
  #key: Buffer | undefined;

  constructor(tree: BlockTree) {
    this.#tree = tree;
  }

  add({ rows }: Batch): void {
    for (let row = 0; row < rows.count; row += 1) this.#addRow(rows, row);
  }

  /** Writes the rows of the last entry. */
  end(): void {
    this.#flush();
    this.#key = undefined;
  }

  #addRow(rows: Rows, row: number): void {
    const last = this.#open.length - 1;
    const { key } = this.#tree;
    if (last >= 0 && (key === undefined || agreeIn(key, this.#open.rowsAt(last), this.#open.atOf(last), rows, row)))
      this.#follow(last, rows, row);
    else {
      this.end();
      this.#key = Buffer.from(keyOfRow(key, rows, row));
      if (this.#tree.entries(this.#key, 1).length > 0) throw new TypeError("rows to build from are not ordered by key");
    }
    this.#open.push(rows, row);
  }

  /** Checks that the row comes after the last one of its key, and begins a new entry if the open one is full. */
  #follow(last: number, rows: Rows, row: number): void {
    const [lastRows, lastRow] = [this.#open.rowsAt(last), this.#open.atOf(last)];
    if (compareRows(lastRows, lastRow, rows, row) >= 0) throw new TypeError("rows to build from are not in order");
    if (last + 1 >= FULL_ROWS && !haveOneSortKey(lastRows, lastRow, rows, row)) this.#flush();
  }

  #flush(): void {
    if (this.#key !== undefined && this.#open.length > 0) this.#tree.put(this.#key, this.#open, 0, this.#open.length);
    this.#open = new Picks();
  }
}
