import type { Column } from "./layout.ts";
import { areAlike, compareRows } from "./order.ts";
import { Picks, type Rows } from "./rows.ts";
import type { BlockTree } from "./tree.ts";
import { Edits } from "./merge-edits.ts";

/**
 * Rows of one key to add and identities to take away in the order of the trees, one of each identity: the last one
 * added, else the removal. Of rows with versions the one stored last.
 */
export function sortedEdits(adds: Picks, removes: Rows): Edits {
  const all = new Picks();
  all.pushAll(removes);
  for (let index = 0; index < adds.length; index += 1) all.push(adds.rowsAt(index), adds.atOf(index));
  const order = Uint32Array.from({ length: all.length }, (_, index) => index);
  // Where two are one row, the one that was asked for later comes later.
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
 * What is left to do of edits by what the first tree holds under their key: of a removal the stored row, which knows its
 * keys; of a row with other columns than the stored one the removal of that one too, which may be under other keys. A
 * row that was stored before the one that is there changes nothing.
 */
export function resolveEdits(first: BlockTree, key: Buffer, asked: Edits): Edits {
  const held: (readonly [Rows, number])[] = [];
  first.find(key, asked, (index, rows, at) => (held[index] = [rows, at]));
  const edits = new Edits();
  for (let index = 0; index < asked.length; index += 1) {
    const [rows, at, old] = [asked.rowsAt(index), asked.atOf(index), held[index]];
    const isAdd = asked.gone[index] === false;
    if (isAdd && old !== undefined && areAlike(rows, at, ...old)) continue;
    if (isAdd && old !== undefined && isVersioned(rows) && versionOf(rows, at) < versionOf(...old)) continue;
    if (old !== undefined) edits.pushEdit(...old, true);
    if (isAdd) edits.pushEdit(rows, at, false);
  }
  return edits;
}
