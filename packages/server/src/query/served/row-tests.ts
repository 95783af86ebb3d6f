import type { ServedTest } from "../../definition/served-dataset.ts";
import type { Column } from "../../serving/layout.ts";
import { microsOf } from "../../definition/micros.ts";
import type { RowView } from "../../serving/row-view.ts";
import type { ServingReader } from "../../serving/reader.ts";
import { keyOfValue } from "../../serving/tree-key.ts";

export type RowTest = (row: RowView) => boolean;

/** Kinds stored as numbers, which a bound can be compared with. */
const ORDERED: ReadonlySet<string> = new Set(["count", "seconds", "millis", "micros"]);

type Held = Pick<ServingReader, "layout" | "dictionary">;

/** Tests whether a row meets all of the conditions; undefined if there are none. */
export function rowTest(held: Held, conditions: readonly ServedTest[]): RowTest | undefined {
  const tests = conditions.map((condition) => oneTest(held, condition));
  const [first, second, third] = tests;
  if (first === undefined || second === undefined) return first;
  if (third === undefined) return (row) => first(row) && second(row);
  return (row) => tests.every((test) => test(row));
}

export function oneTest(held: Held, test: ServedTest): RowTest {
  const column = held.layout.column(test.column);
  if ("oneOf" in test) return isOneOf(held, column, test.oneOf);
  if (column.kind === "money") {
    if (!("least" in test)) throw new TypeError(`${column.name}: no test for the most of a kind of money`);
    const least = microsOf(test.least);
    return (row) => row.micros(column) >= least;
  }
  if (!ORDERED.has(column.kind)) throw new TypeError(`${column.name} has no order`);
  if ("most" in test) {
    const most = Number(test.most);
    return (row) => row.number(column) <= most;
  }
  const least = Number(test.least);
  return (row) => row.number(column) >= least;
}

function isOneOf({ dictionary }: Held, column: Column, values: readonly string[]): RowTest {
  const { kind } = column;
  if (kind === "money" || kind === "seconds") throw new TypeError(`${column.name} is not tested for being equal`);
  if (column.width > 0 && values.length === 1) {
    const bytes = keyOfValue(column, String(values[0]), dictionary);
    if (bytes !== undefined) return (row) => row.hasBytes(column, bytes);
  }
  if (column.width > 0 || kind === "text") {
    const texts = new Set<string | number | null>(values);
    return (row) => texts.has(row.value(column));
  }
  const numberOf = (value: string): number | undefined =>
    kind === "token" ? dictionary.find(value) : column.values.length > 0 ? column.values.indexOf(value) : Number(value);
  const numbers = new Set(values.map(numberOf));
  const [only] = numbers;
  if (numbers.size === 1) return (row) => row.number(column) === only;
  return (row) => numbers.has(row.number(column));
}
