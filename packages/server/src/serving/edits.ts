import type { Column } from "./layout.ts";
import { areAlike, compareRows } from "./order.ts";
import { Picks, type Rows } from "./rows.ts";
import type { BlockTree } from "./tree.ts";
import { Edits } from "./merge-edits.ts";

/**
 * Returns the rows of one key to add and identities to remove, in tree order and one per identity: the last added row,
 * otherwise the removal. For rows with versions, the row stored last.
 */
export function sortedEdits(adds: Picks, removes: Rows): Edits {
  const all = new Picks();
  all.pushAll(removes);
  for (let index = 0; index < adds.length; index += 1) all.push(adds.rowsAt(index), adds.atOf(index));
  const order = Uint32Array.from({ length: all.length }, (_, index) => index);
  // Between two versions of the same row, the one requested later comes last.
  const versions = (a: number, b: number): number =>
    isVersioned(removes) ? versionOf(all.rowsAt(a), all.atOf(a)) - versionOf(all.rowsAt(b), all.atOf(b)) : 0;
  order.sort((a, b) => compareRows(all.rowsAt(a), all.atOf(a), all.rowsAt(b), all.atOf(b)) || versions(a, b) || a - b);
  const edits = new Edits();
  for (const [index, place] of order.entries()) {
    const next = order[index + 1];
    const [rows, at] = [all.rowsAt(place), all.atOf(place)];
    const isOverruled = next !== undefined && compareRows(rows, at, all.rowsAt(next), all.atOf(next)) === 0;
    if (!isOverruled) edits.pushEdit(rows, at, rows === removes);
  }
  return edits;
}

const isVersioned = (rows: Rows): boolean => rows.layout.version !== undefined;

const versionOf = (rows: Rows, row: number): number => rows.number((rows.layout.version as Column).at, row);

/**
 * Resolves edits against the rows that the first tree has under their key: a removal gets the stored row, which has all
 * its keys; a row whose columns differ from the stored row also removes that one, which may be under other keys. A row
 * older than the stored one changes nothing.
 */
export function resolveEdits(first: BlockTree, key: Buffer, requested: Edits): Edits {
  const held: (readonly [Rows, number])[] = [];
  first.find(key, requested, (index, rows, at) => (held[index] = [rows, at]));
  const edits = new Edits();
  for (let index = 0; index < requested.length; index += 1) {
    const [rows, at, old] = [requested.rowsAt(index), requested.atOf(index), held[index]];
    const isAdd = requested.gone[index] === false;
    if (isAdd && old !== undefined && areAlike(rows, at, ...old)) continue;
    if (isAdd && old !== undefined && isVersioned(rows) && versionOf(rows, at) < versionOf(...old)) continue;
    if (old !== undefined) edits.pushEdit(...old, true);
    if (isAdd) edits.pushEdit(rows, at, false);
  }
  return edits;
}
