import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Batch } from "./batch.ts";
import { TreeBuilder } from "./builder.ts";
import { resolveEdits, sortedEdits } from "./edits.ts";
import { layoutOf } from "./layout.ts";
import type { ServedTable } from "../definition/served.ts";
import { type Identity, rowsOfIdentities } from "./order.ts";
import { walkKeys } from "./page.ts";
import { META } from "./meta.ts";
import { FLOOR, fileOf, MARK, SCHEMA, ServingReader, treesOf } from "./reader.ts";
import { Picks } from "./rows.ts";
import { openSqlite } from "./sqlite.ts";
import { keyOfRow, timeKey } from "./tree-key.ts";
import { Edits } from "./merge-edits.ts";

/** Written in the transaction of the rows that they speak of. */
export type Marks = { readonly mark?: Buffer; readonly floor?: number };

export type Changes = Marks & { readonly adds?: Batch; readonly removes?: readonly Identity[] };

/** The one that writes an index. */
export class ServingWriter extends ServingReader {
  /** Opens the index of this declaration in a folder; it is made where there is none. */
  static override open(folder: string, table: ServedTable): ServingWriter {
    const layout = layoutOf(table);
    const file = fileOf(folder, layout);
    mkdirSync(dirname(file), { recursive: true });
    const store = openSqlite(file, treesOf(layout));
    if (store.firstKey(META, Buffer.from([0])) === undefined) store.put(META, SCHEMA, Buffer.from(layout.schema));
    return new ServingWriter(file, layout, store);
  }

  batch(): Batch {
    return new Batch(this.layout, this.dictionary);
  }

  /**
   * Adds and takes away rows in one transaction with their marks. A row that is there already changes nothing, one of
   * the same identity with other columns takes its place; of a row that is both added and taken away the new one stays.
   */
  apply({ adds, removes = [], ...marks }: Changes): void {
    this.#write(marks, () => {
      const asked = sortedEdits(adds?.rows, rowsOfIdentities(this.layout, removes));
      this.#edit(resolveEdits(this.treeBy(undefined), asked));
    });
  }

  /** Takes away the rows of these seconds, both inclusive, and returns how many there were. */
  removeRange(from: number, to: number, marks: Marks = {}): number {
    return this.#write(marks, () => {
      const found = new Picks();
      walkKeys(this.treeBy(undefined), this.layout, [timeKey()], { from, to }, (rows, at) => {
        found.push(rows, at);
        return true;
      });
      const edits = new Edits();
      for (let index = found.length - 1; index >= 0; index -= 1)
        edits.pushEdit(found.rowsAt(index), found.atOf(index), true);
      this.#edit(edits);
      return edits.length;
    });
  }

  /**
   * Builds the tree by a column (by time where there is none) out of rows in the order of their keys. Every batch is a
   * transaction of its own; after the last one comes `end`. The trees are of one mind when each has had all rows.
   */
  build(column?: string): { readonly add: (batch: Batch) => void; readonly end: (marks?: Marks) => void } {
    const builder = new TreeBuilder(this.treeBy(column));
    const seconds = this.layout.sort[0].at;
    const add = (batch: Batch): void => {
      builder.add(batch);
      if (column !== undefined) return;
      for (let row = 0; row < batch.rows.count; row += 1) this.days.change(batch.rows.number(seconds, row), 1);
    };
    return {
      add: (batch) => this.#write({}, () => add(batch)),
      end: (marks = {}) => this.#write(marks, () => builder.end()),
    };
  }

  #edit(edits: Edits): void {
    const seconds = this.layout.sort[0].at;
    for (let index = 0; index < edits.length; index += 1)
      this.days.change(edits.rowsAt(index).number(seconds, edits.atOf(index)), edits.gone[index] === true ? -1 : 1);
    for (const tree of this.trees) {
      const byKey = new Map<string, { readonly key: Buffer; readonly edits: Edits }>();
      for (let index = 0; index < edits.length; index += 1) {
        const [rows, at] = [edits.rowsAt(index), edits.atOf(index)];
        const key = keyOfRow(tree.key, rows, at);
        const name = key.toString("latin1");
        let group = byKey.get(name);
        if (group === undefined) byKey.set(name, (group = { key, edits: new Edits() }));
        group.edits.pushEdit(rows, at, edits.gone[index] === true);
      }
      for (const { key, edits: own } of byKey.values()) tree.edit(key, own);
    }
  }

  #write<Result>({ mark, floor }: Marks, work: () => Result): Result {
    const result = this.store.transaction(() => {
      this.days.drop();
      const done = work();
      this.dictionary.save();
      this.days.save();
      if (mark !== undefined) this.store.put(META, MARK, mark);
      if (floor !== undefined) this.store.put(META, FLOOR, Buffer.from(String(floor)));
      return done;
    });
    this.dictionary.saved();
    return result;
  }
}
