import type { Listed, ListedColumn } from "../../definition/listed.ts";
import { microsOf } from "../../definition/micros.ts";
import { grown, byBytes, LabelColumn, NumberColumn, RowOrder } from "./row-order.ts";
import type { ReadRow } from "./read-rows.ts";
import { RowFile } from "./row-file.ts";
import { SortedTerms, Terms } from "./terms.ts";

/** Versions are summed modulo this. */
export const VERSIONS_BELOW = 4_294_967_296;

/**
 * The current rows of a table: their texts in a file, and in memory the data for searching and sorting. Rows are
 * numbered in the order of arrival. A row whose search texts change gets a new number, so that nothing is removed from
 * the terms. Added rows can be found after `settle` and must not be searched for before.
 */
export class HeldList {
  readonly unique: string;
  readonly file: RowFile;
  readonly numbers = new Map<string, NumberColumn>();
  readonly labels = new Map<string, LabelColumn>();
  readonly #terms = new Map<string, Terms>();
  readonly #orders = new Map<string, Readonly<Record<"asc" | "desc", RowOrder>>>();
  readonly #unique = new RowOrder((one, other) => byBytes(this.#keys[one] as string, this.#keys[other] as string));
  readonly #byKey = new Map<string, number>();
  readonly #columns: readonly (readonly [string, ListedColumn])[];
  readonly #keys: string[] = [];
  readonly #versions = new NumberColumn();
  /** Position of a row in the order of the unique key. */
  #ranks = new Uint32Array(0);
  #isThere = new Uint8Array(1024);
  #sum = 0;
  readonly #entered = new Set<number>();
  readonly #left = new Set<number>();
  readonly #moved = new Map<string, Set<number>>();

  constructor(folder: string, { unique, columns }: Pick<Listed, "unique" | "columns">) {
    this.unique = unique;
    this.#columns = Object.entries(columns).filter(([column]) => column !== unique);
    for (const [column, { kind }] of this.#columns)
      if (kind === "words") this.#terms.set(column, new SortedTerms());
      else if (kind === "text" || kind === "texts") this.#terms.set(column, new Terms());
      else if (kind === "label") this.labels.set(column, new LabelColumn());
      else this.#addNumbers(column);
    this.file = new RowFile(folder);
  }

  /** Number of current rows; `gone` is the number of row numbers no longer in use. */
  count(): number {
    return this.#byKey.size;
  }

  gone(): number {
    return this.#keys.length - this.#byKey.size;
  }

  /** Sum of the versions of all rows, each modulo VERSIONS_BELOW. */
  sum(): number {
    return this.#sum;
  }

  /** Upper bound (exclusive) of the row numbers. */
  end(): number {
    return this.#keys.length;
  }

  rowOf(key: string): number | undefined {
    return this.#byKey.get(key);
  }

  /** Whether a number belongs to a current row. */
  isThere(row: number): boolean {
    return this.#isThere[row] === 1;
  }

  termsOf(column: string): Terms {
    const terms = this.#terms.get(column);
    if (terms === undefined) throw new TypeError(`rows cannot be looked up by ${column}`);
    return terms;
  }

  /**
   * Order by a column in a direction and then by the unique key, ascending; only by the unique key without a column.
   */
  order(column: string | undefined, direction: "asc" | "desc"): RowOrder {
    const orders = column === undefined ? { asc: this.#unique, desc: undefined } : this.#orders.get(column);
    const order = orders?.[direction];
    if (order === undefined) throw new TypeError(`rows have no order by ${column} ${direction}`);
    return order;
  }

  /** Adds a row, or replaces an older version of it. */
  put({ text, shown, values, version }: ReadRow): void {
    const key = values[this.unique] as string;
    const before = this.#byKey.get(key);
    if (before !== undefined && (this.#versions.values[before] as number) >= version) return;
    const isSame = before !== undefined && this.file.rest(before).equals(text.subarray(shown));
    const row = isSame ? before : this.#keys.push(key) - 1;
    this.file.put(row, text, shown);
    this.#sum += (version % VERSIONS_BELOW) - (before === undefined ? 0 : this.#versions.at(before) % VERSIONS_BELOW);
    this.#versions.set(row, version);
    this.#byKey.set(key, row);
    if (!isSame) {
      if (before !== undefined) this.#leave(before);
      this.#enter(row);
    }
    for (const [column, { kind }] of this.#columns) this.#set(row, column, kind, values[column] ?? null, isSame);
  }

  /** Updates the orders with the rows that were added, removed or moved: in O(rows). */
  settle(): void {
    for (const terms of this.#terms.values()) if (terms instanceof SortedTerms) terms.settle();
    const isLeaving = new Uint8Array(this.#keys.length);
    for (const row of this.#left) isLeaving[row] = 1;
    const [entered, left] = [[...this.#entered], this.#left.size];
    if (entered.length + left > 0) {
      this.#unique.merge(isLeaving, entered, left);
      this.#ranks = new Uint32Array(this.#keys.length);
      this.#unique.rows.forEach((row, rank) => (this.#ranks[row] = rank));
    }
    for (const [column, { asc, desc }] of this.#orders) {
      const moved = this.#moved.get(column) ?? new Set();
      for (const row of moved) isLeaving[row] = 1;
      const entering = [...entered, ...moved];
      asc.merge(isLeaving, entering, left + moved.size);
      desc.merge(isLeaving, entering, left + moved.size);
      for (const row of moved) isLeaving[row] = 0;
      moved.clear();
    }
    this.#entered.clear();
    this.#left.clear();
  }

  #addNumbers(column: string): void {
    const numbers = new NumberColumn();
    this.numbers.set(column, numbers);
    this.#moved.set(column, new Set());
    const rank = (row: number): number => this.#ranks[row] as number;
    this.#orders.set(column, {
      asc: new RowOrder((one, other) => numbers.at(one) - numbers.at(other) || rank(one) - rank(other)),
      desc: new RowOrder((one, other) => numbers.at(other) - numbers.at(one) || rank(one) - rank(other)),
    });
  }

  #enter(row: number): void {
    if (row >= this.#isThere.length) this.#isThere = grown(this.#isThere);
    this.#isThere[row] = 1;
    this.#entered.add(row);
  }

  #leave(row: number): void {
    this.file.remove(row);
    this.#isThere[row] = 0;
    for (const moved of this.#moved.values()) moved.delete(row);
    // A row added since the orders were updated is in none of them.
    if (!this.#entered.delete(row)) this.#left.add(row);
  }

  #set(
    row: number,
    column: string,
    kind: ListedColumn["kind"],
    value: ReadRow["values"][string],
    isSame: boolean,
  ): void {
    if (kind === "label") this.labels.get(column)?.set(row, value as string | null);
    else if (kind === "amount" || kind === "moment") {
      const isOther = this.numbers.get(column)?.set(row, toNumber(kind, value as string | null)) === true;
      if (isOther && !this.#entered.has(row)) this.#moved.get(column)?.add(row);
    } else if (!isSame) for (const term of termsIn(kind, value)) this.termsOf(column).add(term, row);
  }
}

/** Amounts in millionths, times in microseconds. */
export function toNumber(kind: "amount" | "moment", value: string | null): number {
  if (value === null) return Number.NaN;
  return Number(kind === "amount" ? microsOf(value) : value);
}

function termsIn(kind: "text" | "texts" | "words", value: string | readonly string[] | null): Iterable<string> {
  if (value === null) return [];
  if (kind === "texts") return new Set(value);
  return kind === "text" ? [value as string] : new Set((value as string).split(" ").filter((word) => word !== ""));
}
