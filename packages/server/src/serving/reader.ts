import { join } from "node:path";
import { DICTIONARY, Dictionary } from "../ordered/dictionary.ts";
import { type Layout, layoutOf } from "./layout.ts";
import type { ServedTable } from "../definition/served.ts";
import { type Page, type Search, searchPage, type TreeKey } from "./page.ts";
import type { KeyVersions, ReadSet } from "./key-versions.ts";
import { DayCounts } from "./day-counts.ts";
import { META, keyOfValue, timeKey } from "./tree-key.ts";
import type { OrderedStore } from "../ordered/ordered-store.ts";
import { RowView } from "./row-view.ts";
import { readSqlite } from "../ordered/sqlite.ts";
import { BlockTree } from "./tree.ts";

export type Question = Search & {
  /** Key column of the tree to read (or either of two) and the values to look up; the time order if absent. */
  readonly by?:
    | { readonly column: string; readonly orColumn?: string | undefined; readonly values: readonly string[] }
    | undefined;
};

export const SCHEMA = Buffer.from("schema");
export const MARK = Buffer.from("mark");
export const FLOOR = Buffer.from("floor");
export const KNOWN = Buffer.from("known");

export const fileOf = (folder: string, { schema }: Layout): string => join(folder, schema, "index.db");
export const treesOf = ({ trees }: Layout): string[] => [...trees.map(({ name }) => name), DICTIONARY, META];

/** Reads an index, in the process that writes it or in any other. */
export class ServingReader {
  readonly layout: Layout;
  readonly dictionary: Dictionary;
  readonly store: OrderedStore;
  readonly trees: readonly BlockTree[];
  readonly days: DayCounts;
  /** Versions of its keys, if the writing thread counts them. */
  readonly versions: KeyVersions | undefined;
  readonly #file: string;
  #readSet: ReadSet | undefined;
  /** Floor of the snapshot being read, cached once it was requested. */
  #floor: { readonly seconds: number | undefined } | undefined;

  constructor(file: string, layout: Layout, store: OrderedStore, versions?: KeyVersions) {
    const schema = store.get(META, SCHEMA)?.toString();
    if (schema !== layout.schema) {
      store.close();
      throw new Error(`${file} holds rows of schema ${schema}, not of ${layout.schema}: it must be rebuilt`);
    }
    this.#file = file;
    this.layout = layout;
    this.store = store;
    this.versions = versions;
    this.dictionary = new Dictionary(store);
    this.days = new DayCounts(store);
    this.trees = layout.trees.map((tree) => new BlockTree(store, layout, tree));
  }

  /** Opens the index of this declaration in a folder; undefined if there is none. */
  static open(folder: string, table: ServedTable, versions?: KeyVersions): ServingReader | undefined {
    const layout = layoutOf(table);
    const file = fileOf(folder, layout);
    const store = readSqlite(file, treesOf(layout));
    if (store?.get(META, SCHEMA) !== undefined) return new ServingReader(file, layout, store, versions);
    // Another process is about to create it.
    store?.close();
    return undefined;
  }

  /** Runs `work` on one snapshot, so that a page and its mark match. Adds the keys that it reads to the read set. */
  read<Result>(work: () => Result, readSet?: ReadSet): Result {
    if (readSet === undefined) return this.store.transaction(work);
    this.#addTo(readSet);
    try {
      return this.store.transaction(() => {
        readSet.floor = Math.max(readSet.floor, this.floor() ?? 0);
        return work();
      });
    } finally {
      this.#end();
    }
  }

  /**
   * Returns a reader of the current snapshot, for a single caller that reads in several iterations of the event loop
   * and then closes it. The keys that are read are added to the read set.
   */
  snapshot(readSet: ReadSet): ServingReader {
    const store = readSqlite(this.#file, treesOf(this.layout));
    if (store === undefined) throw new Error(`${this.#file} no longer exists`);
    const reader = new ServingReader(this.#file, this.layout, store, this.versions);
    reader.#addTo(readSet);
    try {
      store.beginSnapshot();
      readSet.floor = Math.max(readSet.floor, reader.floor() ?? 0);
      return reader;
    } catch (error) {
      reader.close();
      throw error;
    }
  }

  /** Adds the keys that are read to the read set, until `#end`. */
  #addTo(readSet: ReadSet): void {
    const { versions } = this;
    this.#readSet = readSet;
    this.#floor = undefined;
    readSet.begin(versions);
    if (versions === undefined) return;
    for (const [number, tree] of this.trees.entries())
      tree.onRead = (key) => readSet.add(versions, versions.slotOf(number, key));
  }

  #end(): void {
    const readSet = this.#readSet;
    this.#readSet = undefined;
    for (const tree of this.trees) tree.onRead = undefined;
    readSet?.end(this.versions);
  }

  page({ by, ...search }: Question): Page {
    return this.read(() => searchPage(this.layout, this.#keysOf(by), search, this.view()));
  }

  view(): RowView {
    return new RowView(this.dictionary);
  }

  /** Progress of the index, in the format of its feed. */
  mark(): Buffer | undefined {
    return this.store.get(META, MARK);
  }

  /** Unix second from which on the index has all rows. */
  floor(): number | undefined {
    if (this.#readSet === undefined) return this.#storedFloor();
    this.#floor ??= { seconds: this.#storedFloor() };
    return this.#floor.seconds;
  }

  #storedFloor(): number | undefined {
    const floor = this.store.get(META, FLOOR);
    return floor && Number(floor.toString());
  }

  /** The record of which stored rows the index has exactly; undefined if unknown. */
  known(): Buffer | undefined {
    const known = this.store.get(META, KNOWN);
    return known?.length === 0 ? undefined : known;
  }

  close(): void {
    this.#end();
    this.store.close();
  }

  /** The key of a value in a column's tree; undefined if no row has it. */
  keyOf(column: string, value: string): Buffer | undefined {
    const key = keyOfValue(this.layout.column(column), value, this.dictionary);
    // The first row with this value would get a key that is not in the read set.
    if (key === undefined) this.#readSet?.invalidate();
    return key;
  }

  treeBy(column: string | undefined): BlockTree {
    const tree = this.trees.find(({ key }) => key?.name === column);
    if (tree === undefined) throw new TypeError(`the index is not keyed by ${column}`);
    return tree;
  }

  #keysOf(by: Question["by"]): TreeKey[] {
    if (by === undefined) return [{ tree: this.treeBy(undefined), key: timeKey() }];
    const columns = by.orColumn === undefined ? [by.column] : [by.column, by.orColumn];
    return columns.flatMap((name) => {
      const tree = this.treeBy(name);
      return [...new Set(by.values)]
        .map((value) => this.keyOf(name, value))
        .filter((key) => key !== undefined)
        .map((key) => ({ tree, key }));
    });
  }
}
