import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Batch } from "./batch.ts";
import { TreeBuilder } from "./builder.ts";
import { resolveEdits, sortedEdits } from "./edits.ts";
import { layoutOf } from "./layout.ts";
import type { ServedTable } from "../definition/served.ts";
import { type Identity, rowsOfIdentities } from "./order.ts";
import { walkKeys } from "./page.ts";
import type { KeyVersions } from "./key-versions.ts";
import { META, keyOfRow, timeKey } from "./tree-key.ts";
import { FLOOR, fileOf, KNOWN, MARK, SCHEMA, ServingReader, treesOf } from "./reader.ts";
import { Picks, type Rows } from "./rows.ts";
import { openSqlite } from "../ordered/sqlite.ts";
import type { BlockTree } from "./tree.ts";
import { Edits } from "./merge-edits.ts";

/** Written in the same transaction as the rows they describe. */
export type Marks = { readonly mark?: Buffer; readonly floor?: number; readonly known?: Buffer };

export type Changes = Marks & { readonly adds?: Batch; readonly removes?: readonly Identity[] };

/** The only writer of an index. */
export class ServingWriter extends ServingReader {
  /** Slots of the keys whose rows the current transaction changes. */
  #edited = new Set<number>();

  /** Opens the index of this declaration in a folder, creating it if absent. */
  static override open(folder: string, table: ServedTable, versions?: KeyVersions): ServingWriter {
    const layout = layoutOf(table);
    const file = fileOf(folder, layout);
    mkdirSync(dirname(file), { recursive: true });
    const store = openSqlite(file, treesOf(layout));
    if (store.firstKey(META, Buffer.from([0])) === undefined) store.put(META, SCHEMA, Buffer.from(layout.schema));
    return new ServingWriter(file, layout, store, versions);
  }

  batch(): Batch {
    return new Batch(this.layout, this.dictionary);
  }

  /**
   * Adds and removes rows in one transaction with their marks. A row that is stored already changes nothing, one with
   * the same identity and other columns replaces it; a row that is both added and removed stays. Rows can be removed by
   * identity only if the first tree is ordered by time.
   */
  apply({ adds, removes = [], ...marks }: Changes): void {
    this.#write(marks, () => {
      const [first] = this.trees as [BlockTree];
      const groups = adds === undefined ? new Map<string, Group>() : groupsOf(first, picksOf(adds.rows));
      if (removes.length > 0) {
        if (first.key !== undefined) throw new TypeError("rows not keyed by time have no identities");
        const byTime = keyName(timeKey());
        groups.set(byTime, groups.get(byTime) ?? { key: timeKey(), picks: new Picks(), places: [] });
      }
      const gone = rowsOfIdentities(this.layout, removes);
      for (const { key, picks } of groups.values()) this.#edit(key, resolveEdits(first, key, sortedEdits(picks, gone)));
    });
  }

  /** Removes the rows of these seconds, both inclusive, and returns their number. */
  removeRange(from: number, to: number, marks: Marks = {}): number {
    return this.#write(marks, () => {
      let count = 0;
      for (const key of (this.trees[0] as BlockTree).keys()) count += this.#removeOf(key, from, to);
      return count;
    });
  }

  /**
   * Replaces all rows of these seconds, both inclusive: one key of the first tree per transaction, so that other work
   * can run in between.
   */
  *replaceRange(from: number, to: number, batch: Batch): Generator<void, void, void> {
    const first = this.trees[0] as BlockTree;
    const groups = groupsOf(first, picksOf(batch.rows));
    const place = (key: Buffer, picks: Picks | undefined): void =>
      this.#write({}, () => {
        this.#removeOf(key, from, to);
        if (picks !== undefined) this.#edit(key, sortedEdits(picks, rowsOfIdentities(this.layout, [])));
      });
    for (const key of first.keys()) {
      place(key, groups.get(keyName(key))?.picks);
      groups.delete(keyName(key));
      yield;
    }
    for (const { key, picks } of groups.values()) {
      place(key, picks);
      yield;
    }
  }

  /**
   * Builds the tree of a column (the time order if absent) from rows in key order. Every batch is a transaction of its
   * own; `end` comes after the last one. The trees are consistent once each has received all rows.
   */
  build(column?: string): { readonly add: (batch: Batch) => void; readonly end: (marks?: Marks) => void } {
    const tree = this.treeBy(column);
    const builder = new TreeBuilder(tree);
    const add = (batch: Batch): void => {
      builder.add(batch);
      if (tree === this.trees[0]) this.#count(picksOf(batch.rows), () => 1);
    };
    return {
      add: (batch) => this.#write({}, () => add(batch)),
      end: (marks = {}) => this.#write(marks, () => builder.end()),
    };
  }

  #removeOf(key: Buffer, from: number, to: number): number {
    const { perSecond } = this.layout.timestamp;
    const bounds = { from: from * perSecond, to: (to + 1) * perSecond - 1 };
    const found = new Picks();
    walkKeys(this.layout, [{ tree: this.trees[0] as BlockTree, key }], bounds, (rows, at) => {
      found.push(rows, at);
      return true;
    });
    const edits = new Edits();
    for (let index = found.length - 1; index >= 0; index -= 1)
      edits.pushEdit(found.rowsAt(index), found.atOf(index), true);
    if (edits.length > 0) this.#edit(key, edits);
    return edits.length;
  }

  /** `key` is the key of the edits in the first tree. */
  #edit(key: Buffer, edits: Edits): void {
    if (edits.length === 0) return;
    this.#count(edits, (index) => (edits.gone[index] === true ? -1 : 1));
    const [first, ...others] = this.trees as [BlockTree, ...BlockTree[]];
    first.edit(key, edits);
    this.#noteEdit(0, key);
    for (const [index, tree] of others.entries())
      for (const { key: own, picks, places } of groupsOf(tree, edits).values()) {
        tree.edit(own, editsOf(picks, places));
        this.#noteEdit(index + 1, own);
      }

    function editsOf(picks: Picks, places: readonly number[]): Edits {
      const made = new Edits();
      for (let index = 0; index < picks.length; index += 1)
        made.pushEdit(picks.rowsAt(index), picks.atOf(index), edits.gone[places[index] as number] === true);
      return made;
    }
  }

  #noteEdit(tree: number, key: Buffer): void {
    if (this.versions !== undefined) this.#edited.add(this.versions.slotOf(tree, key));
  }

  #count(picks: Picks, by: (index: number) => 1 | -1): void {
    const { version } = this.layout;
    const { column, perSecond } = this.layout.timestamp;
    for (let index = 0; index < picks.length; index += 1) {
      const [rows, at] = [picks.rowsAt(index), picks.atOf(index)];
      const stored = version === undefined ? 0 : rows.number(version.at, at);
      this.days.change(Math.floor(rows.number(column.at, at) / perSecond), by(index), stored);
    }
  }

  #write<Result>({ mark, floor, known }: Marks, work: () => Result): Result {
    this.#edited = new Set();
    const result = this.store.transaction(() => {
      this.days.drop();
      const done = work();
      this.dictionary.save();
      this.days.save();
      if (mark !== undefined) this.store.put(META, MARK, mark);
      if (floor !== undefined) this.store.put(META, FLOOR, Buffer.from(String(floor)));
      if (known !== undefined) this.store.put(META, KNOWN, known);
      return done;
    });
    this.dictionary.saved();
    this.versions?.increment(this.#edited);
    return result;
  }
}

/** Rows of one key of a tree, and their indexes among the rows that were grouped. */
type Group = { readonly key: Buffer; readonly picks: Picks; readonly places: number[] };

const keyName = (key: Buffer): string => key.toString("latin1");

function groupsOf(tree: BlockTree, picks: Picks): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (let index = 0; index < picks.length; index += 1) {
    const [rows, at] = [picks.rowsAt(index), picks.atOf(index)];
    const key = keyOfRow(tree.key, rows, at);
    const name = keyName(key);
    let group = groups.get(name);
    if (group === undefined) groups.set(name, (group = { key, picks: new Picks(), places: [] }));
    group.picks.push(rows, at);
    group.places.push(index);
  }
  return groups;
}

function picksOf(rows: Rows): Picks {
  const picks = new Picks();
  picks.pushAll(rows);
  return picks;
}
