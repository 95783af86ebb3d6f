import { grown } from "./row-order.ts";
import { Spellings } from "./spellings.ts";

/** From this number on the rows of a term are stored in an integer array. */
const MANY = 16;
const NONE: readonly number[] = [];

type Many = { rows: Uint32Array; count: number };

/** Rows by text. Rows are only added, never removed: a row whose texts change becomes another row. */
export class Terms {
  /** Most terms have one row. */
  readonly #rows = new Map<string, number | number[] | Many>();

  /** Adds a row, once per term, and returns whether the term is new. */
  add(term: string, row: number): boolean {
    const held = this.#rows.get(term);
    if (held === undefined) {
      this.#rows.set(term, row);
      return true;
    }
    if (typeof held === "number") this.#rows.set(term, [held, row]);
    else if (!Array.isArray(held)) addTo(held, row);
    else if (held.push(row) >= MANY) this.#rows.set(term, { rows: Uint32Array.from(held), count: held.length });
    return false;
  }

  rowsOf(term: string): ArrayLike<number> {
    const held = this.#rows.get(term);
    if (held === undefined) return NONE;
    if (typeof held === "number") return [held];
    return Array.isArray(held) ? held : held.rows.subarray(0, held.count);
  }
}

function addTo(held: Many, row: number): void {
  if (held.count === held.rows.length) held.rows = grown(held.rows);
  held.rows[held.count] = row;
  held.count += 1;
}

/** Terms in order, so that those with a given prefix can be found. */
export class SortedTerms extends Terms {
  readonly spellings = new Spellings();
  #sorted: string[] = [];
  #fresh: string[] = [];

  override add(term: string, row: number): boolean {
    const isNew = super.add(term, row);
    if (!isNew) return false;
    this.#fresh.push(term);
    this.spellings.add(term);
    return true;
  }

  /** Sorts the added terms in; until then they cannot be found by a prefix. */
  settle(): void {
    if (this.#fresh.length === 0) return;
    const [old, fresh] = [this.#sorted, this.#fresh.toSorted(byUnits)];
    const all: string[] = [];
    let at = 0;
    for (const term of fresh) {
      while (at < old.length && (old[at] as string) < term) all.push(old[at++] as string);
      all.push(term);
    }
    while (at < old.length) all.push(old[at++] as string);
    [this.#sorted, this.#fresh] = [all, []];
  }

  /** The rows of every term with a prefix: a row once for each term. */
  beginningWith(text: string): ArrayLike<number>[] {
    const sorted = this.#sorted;
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] as string) < text) low = middle + 1;
      else high = middle;
    }
    const found: ArrayLike<number>[] = [];
    for (let at = low; at < sorted.length && (sorted[at] as string).startsWith(text); at += 1)
      found.push(this.rowsOf(sorted[at] as string));
    return found;
  }
}

const byUnits = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
