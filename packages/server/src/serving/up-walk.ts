import { countBefore, identityBefore, rowsOfIdentities, sortKeyOf } from "./order.ts";
import type { Layout } from "./layout.ts";
import type { Entry } from "../ordered/port.ts";
import type { Walking } from "./page.ts";
import type { Rows } from "./rows.ts";
import type { BlockTree } from "./tree.ts";

/** Walks the rows of one key from a moment on to the newest, decoding an entry when it gets there. */
export class UpWalk implements Walking {
  rows: Rows | undefined;
  at = -1;
  readonly #tree: BlockTree;
  readonly #key: Buffer;
  #entry: Entry | undefined;
  #blocks: Rows[] = [];
  #bound: Rows | undefined;

  constructor(tree: BlockTree, layout: Layout, key: Buffer, from: number) {
    this.#tree = tree;
    this.#key = key;
    this.#bound = rowsOfIdentities(layout, [identityBefore(layout, from)]);
    this.#entry = tree.entryAt(key, sortKeyOf(this.#bound, 0));
    this.#open();
  }

  /** Goes to the next newer row; false where there is none. */
  step(): boolean {
    this.at += 1;
    while (this.rows === undefined || this.at >= this.rows.count) {
      const block = this.#blocks.pop();
      if (block !== undefined) {
        this.rows = block;
        this.at = this.#bound === undefined ? 0 : countBefore(block, this.#bound);
        if (this.at < block.count) this.#bound = undefined;
      } else if (this.#entry === undefined) return false;
      else {
        this.#entry = this.#tree.entryAbove(this.#key, this.#entry);
        this.#open();
      }
    }
    return true;
  }

  #open(): void {
    this.#blocks = this.#entry === undefined ? [] : this.#tree.blocksOf(this.#key, this.#entry).toReversed();
  }
}
