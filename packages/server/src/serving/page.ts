import {
  compareRows,
  countBefore,
  type Identity,
  identityBefore,
  identityOf,
  rowsOfIdentities,
  sortKeyOf,
} from "./order.ts";
import { EntryCursor } from "./entry-cursor.ts";
import type { Layout } from "./layout.ts";
import { Picks, type Rows } from "./rows.ts";
import type { RowView } from "./row-view.ts";
import type { BlockTree } from "./tree.ts";

export type Bounds = {
  /** Cursor: only rows older than this one. */
  readonly before?: Identity | undefined;
  /** Times in the table's unit (seconds, milliseconds or microseconds), both inclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
};

export type Search = Bounds & {
  readonly limit: number;
  /** Maximum number of rows examined. */
  readonly budget: number;
  readonly test?: ((row: RowView) => boolean) | undefined;
};

export type Page = {
  /** Newest first. */
  readonly rows: Picks;
  readonly searched: number;
  /** Reason why the page ends: it is full, the budget is used up, or there are no more rows. */
  readonly end: "limit" | "budget" | "rows";
  /** The last row examined: the search continues before it. */
  readonly last: Identity | undefined;
};

/** Most pages end in the second entry, since the first is often a short tail. */
const FIRST_ENTRIES = 2;
/** A key of one of the trees. */
export type TreeKey = { readonly tree: BlockTree; readonly key: Buffer };

/** Highest time for each width in bytes. */
const LAST: Readonly<Record<number, number>> = { 4: 4_294_967_295, 8: Number.MAX_SAFE_INTEGER };

/** Steps from row to row; it is at a row after a step that returned true. */
export type Walking = { readonly rows: Rows | undefined; readonly at: number; readonly step: () => boolean };

/** Walks the rows of one key from the newest to the oldest, decoding each entry when it is reached. */
class Walk {
  rows: Rows | undefined;
  at = 0;
  readonly #tree: BlockTree;
  readonly #key: Buffer;
  #bound: Rows | undefined;
  readonly #entries: EntryCursor;
  #blocks: Rows[] = [];

  constructor(tree: BlockTree, key: Buffer, bound: Rows | undefined) {
    this.#tree = tree;
    this.#key = key;
    this.#bound = bound;
    const start = bound && sortKeyOf(bound, 0);
    this.#entries = new EntryCursor(
      FIRST_ENTRIES,
      (limit) => tree.entries(key, limit, start),
      (last, limit) => tree.entriesBelow(key, last, limit),
    );
  }

  /** Moves to the next older row; false if there is none. */
  step(): boolean {
    this.at -= 1;
    while (this.at < 0) {
      const block = this.#blocks.pop() ?? this.#nextEntry();
      if (block === undefined) return false;
      this.rows = block;
      this.at = (this.#bound === undefined ? block.count : countBefore(block, this.#bound)) - 1;
      if (this.at >= 0) this.#bound = undefined;
    }
    return true;
  }

  #nextEntry(): Rows | undefined {
    const entry = this.#entries.next();
    if (entry === undefined) return undefined;
    this.#blocks = this.#tree.blocksOf(this.#key, entry);
    return this.#blocks.pop();
  }

  isNewerThan(other: Walk): boolean {
    return compareRows(this.rows as Rows, this.at, other.rows as Rows, other.at) > 0;
  }
}

/** The rows of one key up to a time, newest first. */
export const walkDown = (tree: BlockTree, layout: Layout, key: Buffer, to: number): Walking =>
  new Walk(tree, key, boundOf(layout, { to }));

/** Merges the rows of several keys, newest first; stops when `take` returns false or at rows before `from`. */
export function walkKeys(
  layout: Layout,
  keys: readonly TreeKey[],
  bounds: Bounds,
  take: (rows: Rows, at: number) => boolean,
): void {
  const bound = boundOf(layout, bounds);
  const from = bounds.from ?? 0;
  const timestamp = layout.timestamp.column.at;
  const heap: Walk[] = [];
  for (const { tree, key } of keys) {
    const walk = new Walk(tree, key, bound);
    if (walk.step()) rise(heap, walk);
  }
  for (let top = heap[0]; top !== undefined; top = heap[0]) {
    const rows = top.rows as Rows;
    if (rows.number(timestamp, top.at) < from || !take(rows, top.at)) return;
    if (top.step()) sink(heap, top);
    else {
      const last = heap.pop() as Walk;
      if (heap.length > 0) sink(heap, last);
    }
  }
}

export function searchPage(
  layout: Layout,
  keys: readonly TreeKey[],
  { limit, budget, test, ...bounds }: Search,
  view: RowView,
): Page {
  const found = new Picks();
  let [searched, end]: [number, Page["end"]] = [0, "rows"];
  let [lastRows, lastAt]: [Rows | undefined, number] = [undefined, 0];
  // A row may be in several trees and then comes several times in succession.
  const isDoubled = keys.some(({ tree }) => tree !== keys[0]?.tree);
  walkKeys(layout, keys, bounds, (rows, at) => {
    if (isDoubled && lastRows !== undefined && compareRows(rows, at, lastRows, lastAt) === 0) return true;
    if (found.length >= limit || searched >= budget) {
      end = found.length >= limit ? "limit" : "budget";
      return false;
    }
    searched += 1;
    [lastRows, lastAt] = [rows, at];
    if (test === undefined || test(view.move(rows, at))) found.push(rows, at);
    return true;
  });
  return { rows: found, searched, end, last: lastRows && identityOf(lastRows, lastAt) };
}

/** The oldest row that is too new, if any. */
function boundOf(layout: Layout, { before, to }: Bounds): Rows | undefined {
  const ends = [];
  if (before !== undefined) ends.push(before);
  if (to !== undefined && to < (LAST[layout.timestamp.width] as number)) ends.push(identityBefore(layout, to + 1));
  const [bound, other] = ends.map((identity) => rowsOfIdentities(layout, [identity]));
  if (bound === undefined || other === undefined) return bound;
  return compareRows(bound, 0, other, 0) < 0 ? bound : other;
}

function rise(heap: Walk[], walk: Walk): void {
  let at = heap.push(walk) - 1;
  while (at > 0) {
    const above = (at - 1) >>> 1;
    if (!walk.isNewerThan(heap[above] as Walk)) break;
    heap[at] = heap[above] as Walk;
    at = above;
  }
  heap[at] = walk;
}

function sink(heap: Walk[], walk: Walk): void {
  let at = 0;
  for (;;) {
    let below = at * 2 + 1;
    if (below + 1 < heap.length && (heap[below + 1] as Walk).isNewerThan(heap[below] as Walk)) below += 1;
    if (below >= heap.length || !(heap[below] as Walk).isNewerThan(walk)) break;
    heap[at] = heap[below] as Walk;
    at = below;
  }
  heap[at] = walk;
}
