import { areAlike, compareRows } from "./order.ts";
import { Picks, type Rows } from "./rows.ts";
import { timeKey } from "./tree-key.ts";
import type { BlockTree } from "./tree.ts";
import { Edits } from "./merge-edits.ts";

/** Rows to add and identities to take away in the order of the trees, one of each identity: the last one added, else the removal. */
export function sortedEdits(adds: Rows | undefined, removes: Rows): Edits {
  const all = new Picks();
  all.pushAll(removes);
  if (adds !== undefined) all.pushAll(adds);
  const order = Uint32Array.from({ length: all.length }, (_, index) => index);
  // Where two are one row, the one that was asked for later comes later.
  order.sort((a, b) => compareRows(all.rowsAt(a), all.atOf(a), all.rowsAt(b), all.atOf(b)) || a - b);
  const edits = new Edits();
  for (const [index, place] of order.entries()) {
    const next = order[index + 1];
    const [rows, at] = [all.rowsAt(place), all.atOf(place)];
    const isOverruled = next !== undefined && compareRows(rows, at, all.rowsAt(next), all.atOf(next)) === 0;
    if (!isOverruled) edits.pushEdit(rows, at, rows === removes);
  }
  return edits;
}

/**
 * What is left to do of edits by what the tree by time holds: of a removal the stored row, which knows its keys; of a
 * row with other columns than the stored one the removal of that one too, which may be under other keys.
 */
export function resolveEdits(byTime: BlockTree, asked: Edits): Edits {
  const held: (readonly [Rows, number])[] = [];
  byTime.find(timeKey(), asked, (index, rows, at) => (held[index] = [rows, at]));
  const edits = new Edits();
  for (let index = 0; index < asked.length; index += 1) {
    const [rows, at, old] = [asked.rowsAt(index), asked.atOf(index), held[index]];
    const isAdd = asked.gone[index] === false;
    if (isAdd && old !== undefined && areAlike(rows, at, ...old)) continue;
    if (old !== undefined) edits.pushEdit(...old, true);
    if (isAdd) edits.pushEdit(rows, at, false);
  }
  return edits;
}
