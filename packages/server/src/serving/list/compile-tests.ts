import type { ListedTest } from "../../definition/listed.ts";
import { microsOf } from "../../definition/micros.ts";
import type { HeldList } from "./held-list.ts";
import { SortedTerms } from "./terms.ts";

/** Lists of rows; a row matches a group if it is in one of its lists, and must match every group. */
export type Group = readonly ArrayLike<number>[];

/** Bounds of a column's numbers, both inclusive. */
export type Range = { readonly least: number; readonly most: number };

export type Compiled = {
  readonly groups: readonly Group[];
  readonly tests: readonly ((row: number) => boolean)[];
  readonly ranges: ReadonlyMap<string, Range>;
};

/** Compiles conditions to a form that the list can evaluate; undefined if one is on a column with inexact numbers. */
export function compileTests(list: HeldList, tests: readonly ListedTest[]): Compiled | undefined {
  const groups: Group[] = [];
  const rowTests: ((row: number) => boolean)[] = [];
  const ranges = new Map<string, Range>();
  for (const test of tests) {
    const { column } = test;
    const numbers = list.numbers.get(column);
    if ("least" in test || "most" in test) {
      if (numbers?.isExact !== true) return undefined;
      const { least, most } = ranges.get(column) ?? { least: -Infinity, most: Infinity };
      if ("least" in test) ranges.set(column, { least: Math.max(least, boundOf(test.least)), most });
      else ranges.set(column, { least, most: Math.min(most, boundOf(test.most)) });
    } else if ("path" in test) rowTests.push(hasLabel(list, column, (label) => isOnPath(label, test.path)));
    else if ("oneOf" in test && list.labels.has(column)) {
      const requested = new Set(test.oneOf);
      rowTests.push(hasLabel(list, column, (label) => requested.has(label)));
    } else groups.push(...groupsOf(list, test));
  }
  for (const [column, { least, most }] of ranges) {
    const numbers = list.numbers.get(column);
    rowTests.push((row) => {
      const value = numbers?.values[row] as number;
      return value >= least && value <= most;
    });
  }
  return { groups, tests: rowTests, ranges };
}

function groupsOf(list: HeldList, test: ListedTest): Group[] {
  const { column } = test;
  if ("oneOf" in test) {
    const rows = [...new Set(test.oneOf)].map((text) => rowsWith(list, column, text));
    const { orElse } = test;
    return orElse === undefined || rows.some((some) => isThere(list, some)) ? [rows] : groupsOf(list, orElse);
  }
  if (!("words" in test)) throw new TypeError(`${column} is compared with nothing`);
  const terms = list.termsOf(column);
  if (!(terms instanceof SortedTerms)) throw new TypeError(`${column} has no words`);
  return test.words.length === 0 ? [[]] : test.words.map((word) => terms.beginningWith(word));
}

function rowsWith(list: HeldList, column: string, text: string): ArrayLike<number> {
  if (column !== list.unique) return list.termsOf(column).rowsOf(text);
  const row = list.rowOf(text);
  return row === undefined ? [] : [row];
}

function isThere(list: HeldList, rows: ArrayLike<number>): boolean {
  for (let at = 0; at < rows.length; at += 1) if (list.isThere(rows[at] as number)) return true;
  return false;
}

/** Since there are few labels, each is tested once for all rows. */
function hasLabel(list: HeldList, column: string, isRequested: (label: string) => boolean): (row: number) => boolean {
  const held = list.labels.get(column);
  if (held === undefined) throw new TypeError(`${column} has no labels`);
  const requested = Uint8Array.from(held.labels, (label) => (label !== undefined && isRequested(label) ? 1 : 0));
  return (row) => requested[held.numbers.values[row] as number] === 1;
}

const isOnPath = (label: string, path: string): boolean => label === path || label.startsWith(`${path} / `);

const TIMESTAMP = /^\d{4}-/;

/** An amount in millionths; a time, given as "YYYY-MM-DD hh:mm:ss.ffffff" in UTC, in microseconds. */
function boundOf(text: string): number {
  if (!TIMESTAMP.test(text)) return Number(microsOf(text));
  const [whole = "", fraction = ""] = text.split(".");
  return Date.parse(`${whole.replace(" ", "T")}Z`) * 1000 + Number(fraction.padEnd(6, "0"));
}
