import type { ListedTest } from "../../definition/listed.ts";
import { compileTests, type Compiled, type Group, type Range } from "./compile-tests.ts";
import type { HeldList } from "./held-list.ts";
import type { RowOrder } from "./row-order.ts";

type Direction = "asc" | "desc";

export type ListQuestion = {
  readonly tests: readonly ListedTest[];
  /** Column to order by, equal values by the unique key, ascending; only by the unique key if absent. */
  readonly by: string | undefined;
  readonly direction: Direction;
  /** The unique key of the row after which the page begins. */
  readonly after: string | undefined;
  /** Maximum number of rows. */
  readonly depth: number;
};

/** Maximum number of rows examined for one page: a few milliseconds. */
const BUDGET = 400_000;
/** Rows in a range of another column are collected if they are less than one in this many. */
const NARROW = 8;

/** Number of groups that each row matched so far, in order; all 0 between searches. */
let marks = new Uint8Array(0);

type Search = Compiled & {
  readonly list: HeldList;
  readonly order: RowOrder;
  readonly question: ListQuestion;
  readonly after: number | undefined;
};

/** Returns the numbers of up to `depth` rows after `after`, in order; undefined if the list cannot answer. */
export function findRows(list: HeldList, question: ListQuestion): readonly number[] | undefined {
  const { by, direction, after: key } = question;
  const compiled = compileTests(list, question.tests);
  const after = key === undefined ? undefined : list.rowOf(key);
  const isExact = by === undefined || list.numbers.get(by)?.isExact === true;
  if (compiled === undefined || !isExact || (key !== undefined && after === undefined)) return undefined;
  const search: Search = { ...compiled, list, question, after, order: list.order(by, direction) };
  if (compiled.groups.length > 0) return inGroups(search);
  return inNarrowRange(search) ?? walk(search, () => true);
}

/** The rows that match every group; undefined if they are too many to examine. */
function inGroups(search: Search): readonly number[] | undefined {
  const { list, groups } = search;
  const sized = groups.map((group) => ({ group, size: sizeOf(group) })).toSorted((one, other) => one.size - other.size);
  if (sized.reduce((sum, { size }) => sum + size, 0) > BUDGET) return undefined;
  if (marks.length < list.end()) marks = new Uint8Array(list.end() * 2);
  const withLock = sized.map(({ group }) => group);
  try {
    return meeting(search, withLock);
  } finally {
    for (const rows of withLock[0] ?? []) for (let at = 0; at < rows.length; at += 1) marks[rows[at] as number] = 0;
  }
}

function meeting(search: Search, groups: readonly Group[]): readonly number[] | undefined {
  const { list, tests } = search;
  let met: number[] = [];
  for (const [index, group] of groups.entries()) {
    met = [];
    for (const rows of group)
      for (let at = 0; at < rows.length; at += 1) {
        const row = rows[at] as number;
        if (marks[row] !== index) continue;
        marks[row] = index + 1;
        met.push(row);
      }
  }
  const found = met.filter((row) => list.isThere(row) && meets(tests, row));
  // If many rows match, walking the order fills a page sooner than sorting does.
  const { depth } = search.question;
  const [walked, sorted] = [(list.count() / found.length) * depth, found.length * Math.log2(found.length)];
  if (found.length < depth || walked > sorted) return inOrder(search, found);
  return walk(search, (row) => marks[row] === groups.length);
}

const sizeOf = (group: Group): number => group.reduce((sum, rows) => sum + rows.length, 0);

/** Finds rows by a column other than the sort column whose range has few rows; undefined if there is none. */
function inNarrowRange(search: Search): readonly number[] | undefined {
  const { list, ranges, tests, question } = search;
  for (const [column, range] of ranges) {
    if (column === question.by) continue;
    const { rows } = list.order(column, "asc");
    const [from, to] = placesIn(list, column, "asc", range);
    if ((to - from) * NARROW > rows.length) continue;
    const some = [...rows.subarray(from, to)].filter((row) => meets(tests, row));
    return inOrder(search, some);
  }
  return undefined;
}

/** Positions in a column's order at which the rows of a range begin and end. */
function placesIn(list: HeldList, column: string, direction: Direction, { least, most }: Range): [number, number] {
  const [order, numbers] = [list.order(column, direction), list.numbers.get(column)];
  const valueOf = (row: number): number => numbers?.at(row) ?? 0;
  const from = order.first(direction === "asc" ? (row) => valueOf(row) < least : (row) => valueOf(row) > most);
  const to = order.first(direction === "asc" ? (row) => valueOf(row) <= most : (row) => valueOf(row) >= least);
  return [from, Math.max(from, to)];
}

function inOrder({ order, question, after }: Search, rows: number[]): readonly number[] {
  const { compare } = order;
  const beyond = after === undefined ? rows : rows.filter((row) => compare(row, after) > 0);
  return beyond.sort(compare).slice(0, question.depth);
}

/** The rows that pass all tests, along the order; undefined if too many others lie between them. */
function walk(search: Search, isMeant: (row: number) => boolean): readonly number[] | undefined {
  const { list, order, tests, ranges, question, after } = search;
  const { by, direction, depth } = question;
  const range = by === undefined ? undefined : ranges.get(by);
  const [low, high] = by !== undefined && range ? placesIn(list, by, direction, range) : [0, order.rows.length];
  const from = after === undefined ? low : Math.max(low, order.placeOf(after) + 1);
  const to = Math.min(high, from + BUDGET);
  const found: number[] = [];
  for (let at = from; at < to; at += 1) {
    const row = order.rows[at] as number;
    if (!isMeant(row) || !meets(tests, row)) continue;
    found.push(row);
    if (found.length === depth) return found;
  }
  return to < high ? undefined : found;
}

function meets(tests: Compiled["tests"], row: number): boolean {
  for (const test of tests) if (!test(row)) return false;
  return true;
}
