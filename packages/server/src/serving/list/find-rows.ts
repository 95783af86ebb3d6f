import type { ListedTest } from "../../definition/listed.ts";
import { compileTests, type Compiled, type Group, type Range } from "./compile-tests.ts";
import type { HeldList } from "./held-list.ts";
import type { RowOrder } from "./row-order.ts";

type Direction = "asc" | "desc";

export type ListQuestion = {
  readonly tests: readonly ListedTest[];
  /** Ordered by a column and within equal values by the unique key, ascending; by that alone without one. */
  readonly by: string | undefined;
  readonly direction: Direction;
  /** The unique key of the row after which the page begins. */
  readonly after: string | undefined;
  /** So many rows at most. */
  readonly depth: number;
};

/** Rows that are looked at for one page: a few milliseconds. */
const BUDGET = 400_000;
/** Rows within a range of another column are gathered where they are less than one of so many. */
const NARROW = 8;

/** In how many groups, one after the other, a row stood; nothing between two searches. */
let marks = new Uint8Array(0);

type Search = Compiled & {
  readonly list: HeldList;
  readonly order: RowOrder;
  readonly question: ListQuestion;
  readonly after: number | undefined;
};

/** The numbers of the first rows of a page and of all before it, in order; undefined where that is not for here. */
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

/** The rows that stand in every group; undefined where these are too many to look at. */
function inGroups(search: Search): readonly number[] | undefined {
  const { list, groups } = search;
  const sized = groups.map((group) => ({ group, size: sizeOf(group) })).toSorted((one, other) => one.size - other.size);
  if (sized.reduce((sum, { size }) => sum + size, 0) > BUDGET) return undefined;
  if (marks.length < list.end()) marks = new Uint8Array(list.end() * 2);
  const inTurn = sized.map(({ group }) => group);
  try {
    return meeting(search, inTurn);
  } finally {
    for (const rows of inTurn[0] ?? []) for (let at = 0; at < rows.length; at += 1) marks[rows[at] as number] = 0;
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
  // Where much is found the order comes to a page of them sooner than sorting does.
  const { depth } = search.question;
  const [walked, sorted] = [(list.count() / found.length) * depth, found.length * Math.log2(found.length)];
  if (found.length < depth || walked > sorted) return inOrder(search, found);
  return walk(search, (row) => marks[row] === groups.length);
}

const sizeOf = (group: Group): number => group.reduce((sum, rows) => sum + rows.length, 0);

/** The rows by another column than they are sorted by, where few are in its range; undefined elsewhere. */
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

/** Where in the order by a column the rows within a range stand. */
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

/** The rows that meet all tests, along the order; undefined where too many others stand between them. */
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
