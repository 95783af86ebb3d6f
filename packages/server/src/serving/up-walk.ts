import { EntryCursor } from "./entry-cursor.ts";
import { countBefore, identityBefore, rowsOfIdentities, sortKeyOf } from "./order.ts";
import type { Layout } from "./layout.ts";
import type { Walking } from "./page.ts";
import type { Rows } from "./rows.ts";
import type { BlockTree } from "./tree.ts";

/** A year of daily rows is three entries, so one statement reads all rows of most keys. */
const FIRST_ENTRIES = 4;

/** Walks the rows of one key from a time on to the newest, decoding each entry when it is reached. */
export class UpWalk implements Walking {
  rows: Rows | undefined;
  at = -1;
  readonly #tree: BlockTree;
  readonly #key: Buffer;
  readonly #entries: EntryCursor;
  #blocks: Rows[] = [];
  #bound: Rows | undefined;

  constructor(tree: BlockTree, layout: Layout, key: Buffer, from: number) {
    this.#tree = tree;
    this.#key = key;
    this.#bound = from > 0 ? rowsOfIdentities(layout, [identityBefore(layout, from)]) : undefined;
    const start = this.#bound && sortKeyOf(this.#bound, 0);
    this.#entries = new EntryCursor(
      FIRST_ENTRIES,
      (limit) => tree.entriesUp(key, limit, start),
      (last, limit) => tree.entriesAbove(key, last, limit),
    );
  }

  /** Moves to the next newer row; false if there is none. */
  step(): boolean {
    this.at += 1;
    while (this.rows === undefined || this.at >= this.rows.count) {
      const block = this.#blocks.pop() ?? this.#nextEntry();
      if (block === undefined) return false;
      this.rows = block;
      this.at = this.#bound === undefined ? 0 : countBefore(block, this.#bound);
      if (this.at < block.count) this.#bound = undefined;
    }
    return true;
  }

  #nextEntry(): Rows | undefined {
    const entry = this.#entries.next();
    if (entry === undefined) return undefined;
    this.#blocks = this.#tree.blocksOf(this.#key, entry).toReversed();
    return this.#blocks.pop();
  }
}
