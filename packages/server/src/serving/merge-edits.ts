import { compareRows } from "./order.ts";
import { Picks, type Rows } from "./rows.ts";

/** Rows to write, in order; those marked in `gone` are stored rows to remove. */
export class Edits extends Picks {
  readonly gone: boolean[] = [];

  pushEdit(rows: Rows, at: number, isGone: boolean): void {
    this.push(rows, at);
    this.gone.push(isGone);
  }
}

export const comparePicks = (a: Picks, indexA: number, b: Picks, indexB: number): number =>
  compareRows(a.rowsAt(indexA), a.atOf(indexA), b.rowsAt(indexB), b.atOf(indexB));

/** The rows of an entry after edits from…to. */
export function withEdits(held: Picks, edits: Edits, from: number, to: number): Picks {
  const merged = new Picks();
  let next = 0;
  for (let index = from; index < to; index += 1) {
    while (next < held.length && comparePicks(held, next, edits, index) < 0) {
      merged.push(held.rowsAt(next), held.atOf(next));
      next += 1;
    }
    if (next < held.length && comparePicks(held, next, edits, index) === 0) next += 1;
    if (edits.gone[index] === false) merged.push(edits.rowsAt(index), edits.atOf(index));
  }
  for (; next < held.length; next += 1) merged.push(held.rowsAt(next), held.atOf(next));
  return merged;
}
