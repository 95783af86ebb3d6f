import { bucketAt, firstOf, lastOf, type BucketSearch, type Take } from "../../definition/served-buckets.ts";
import { plainMicros, type Micros } from "../../definition/micros.ts";
import type { Walking } from "../../serving/page.ts";
import type { ServingReader } from "../../serving/reader.ts";
import type { Rows } from "../../serving/rows.ts";

/** Minutes of one table, walked in the direction of the page. */
export type Minutes = {
  readonly reader: ServingReader;
  /** Undefined if no row can have the key. */
  readonly walk: Walking | undefined;
  readonly taken: Readonly<Record<string, Take>>;
};

export type Bucket = { readonly name: number; readonly taken: ReadonlyMap<string, Micros | null> };

export type Amount = Micros | null;

/** Aggregates a minute into the bucket's value so far; `isFirst` for the first minute of a bucket. */
type Adding = (before: Amount, rows: Rows, row: number, isFirst: boolean) => Amount;

const isLess = (a: Micros, b: Micros): boolean => a < b;

function plus(a: Micros, b: Micros): Micros {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (sum < Number.MAX_SAFE_INTEGER) return sum;
  }
  return plainMicros(BigInt(a) + BigInt(b));
}

function addingOf({ layout }: ServingReader, take: Take, isForward: boolean): Adding {
  if (take.take === "products") {
    const [a, b] = take.columns.map((column) => layout.column(column).at) as [number, number];
    return (before, rows, row) => {
      const [one, other] = [rows.micros(a, row), rows.micros(b, row)];
      return one === null || other === null ? before : BigInt(before ?? 0) + BigInt(one) * BigInt(other);
    };
  }
  const { at } = layout.column(take.column);
  if (take.take === "sum") {
    const where = take.where === undefined ? at : layout.column(take.where).at;
    return (before, rows, row) => {
      const value = rows.micros(at, row);
      if (value === null || (where !== at && rows.micros(where, row) === null)) return before;
      return before === null ? value : plus(before, value);
    };
  }
  if (take.take === "first" || take.take === "last") {
    // In walk order either the first value is kept, or the last one.
    const stays = (take.take === "first") === isForward;
    if (take.orNull === true)
      return (before, rows, row, isFirst) => (stays && !isFirst ? before : rows.micros(at, row));
    return (before, rows, row) => (stays && before !== null ? before : (rows.micros(at, row) ?? before));
  }
  const { none = null } = take;
  const isBetter = take.take === "least" ? isLess : (a: Micros, b: Micros): boolean => isLess(b, a);
  return (before, rows, row) => {
    const value = rows.micros(at, row) ?? none;
    return value !== null && (before === null || isBetter(value, before)) ? value : before;
  };
}

class Folding {
  readonly #walk: Walking | undefined;
  readonly #timestamp: number;
  readonly #names: readonly string[];
  readonly #none: readonly (number | undefined)[];
  readonly #adding: readonly Adding[];
  readonly #search: BucketSearch;
  /** Second of the next minute; undefined at the end. */
  second: number | undefined;
  rows = 0;

  constructor({ reader, walk, taken }: Minutes, search: BucketSearch) {
    const takes = Object.values(taken);
    this.#walk = walk;
    this.#timestamp = reader.layout.timestamp.column.at;
    this.#names = Object.keys(taken);
    this.#none = takes.map((take) => ("none" in take ? take.none : undefined));
    this.#adding = takes.map((take) => addingOf(reader, take, search.isForward));
    this.#search = search;
    this.#step();
  }

  /** Aggregates all minutes from `first` to `last`; skips those before. */
  take(first: number, last: number, into: Map<string, Amount>, most: number): void {
    const amounts: Amount[] = this.#names.map(() => null);
    while (this.second !== undefined && this.rows <= most && this.#isBefore(first, last)) {
      this.rows += 1;
      this.#step();
    }
    for (let isFirst = true; this.second !== undefined; isFirst = false) {
      if (this.second < first || this.second > last || this.rows > most) break;
      const { rows, at } = this.#walk as Walking;
      for (let index = 0; index < amounts.length; index += 1)
        amounts[index] = (this.#adding[index] as Adding)(amounts[index] as Amount, rows as Rows, at, isFirst);
      this.rows += 1;
      this.#step();
    }
    for (const [index, name] of this.#names.entries()) {
      const amount = amounts[index] as Amount;
      into.set(name, amount === this.#none[index] ? null : amount);
    }
  }

  /** Before in the direction of the walk. */
  #isBefore(first: number, last: number): boolean {
    return this.#search.isForward ? (this.second as number) < first : (this.second as number) > last;
  }

  #step(): void {
    const { from, to } = this.#search;
    const walk = this.#walk;
    const second = walk?.step() === true ? (walk.rows as Rows).number(this.#timestamp, walk.at) : -1;
    this.second = second >= from && second <= to ? second : undefined;
  }
}

/** Null if nothing was traded. */
export const closeOf = ({ taken }: Pick<Bucket, "taken">): Amount => taken.get("close") ?? null;

/** The buckets of a page, in the direction of the walk; undefined if more than `budget` minutes would be scanned. */
export function foldBuckets(
  minutes: readonly Minutes[],
  search: BucketSearch,
  depth: number,
  budget: number,
): Bucket[] | undefined {
  const foldings = minutes.map((each) => new Folding(each, search));
  // If only traded buckets count, only the first table can start one.
  const isTraded = search.fill === "none";
  const leading = isTraded ? foldings.slice(0, 1) : foldings;
  const buckets: Bucket[] = [];
  while (buckets.length < depth) {
    const seconds = leading.map(({ second }) => second).filter((second) => second !== undefined);
    if (seconds.length === 0) break;
    const name = bucketAt(search.lengths, search.isForward ? Math.min(...seconds) : Math.max(...seconds));
    const taken = new Map<string, Amount>();
    for (const folding of foldings)
      folding.take(firstOf(search.lengths, name), lastOf(search.lengths, name), taken, budget);
    if (foldings.reduce((sum, { rows }) => sum + rows, 0) > budget) return undefined;
    if (!isTraded || closeOf({ taken }) !== null) buckets.push({ name, taken });
  }
  return buckets;
}
