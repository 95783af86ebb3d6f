import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import type { ServedTable } from "../../src/definition/served.ts";
import type { PlainRow } from "../../src/serving/batch.ts";
import { identityOf } from "../../src/serving/order.ts";
import { ServingWriter } from "../../src/serving/writer.ts";
import { drawOf } from "./random-fills.ts";

const folder = mkdtempSync(join(tmpdir(), "almanac-layouts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const draw = drawOf(seededRandom());
const { below } = draw;
const MICROS = Date.UTC(2026, 0, 1) * 1000;
const LETTERS = ["", "a", "b", "\0", "aaaaaaa", "aaaaaaaa", "aaaaaaa\u20ac", "\u{1f600}", "\uffee", "z"];
const AMOUNTS = ["-9007199254.740993", "-1.5", "0", "0.000001", "2", "9007199254.740992", "9007199254.740994"];
const INTEGERS = ["0", "1", "255", "256", String(2n ** 200n), String(2n ** 256n - 1n)];
/** Columns that do not sort by their texts. */
const PLACES: Readonly<Record<string, readonly unknown[]>> = { amount: AMOUNTS, whole: INTEGERS };
const OWED = ["0", "-1", "0.5", "-4503599627.370495", "-4503599627.370496", "4503599627.370496", "-999999999999.1"];
const text = (): string => `${LETTERS[below(LETTERS.length)]}${LETTERS[below(LETTERS.length)]}`;
const hash = (): string => `0x${"00".repeat(30)}${below(3).toString(16).padStart(4, "0")}`;
const bytes = (value: unknown): Buffer => Buffer.from(String(value));

const base = {
  columns: {
    key: { kind: "text" },
    at: { kind: "micros" },
    second: { kind: "seconds" },
    hash: { kind: "hash" },
    number: { kind: "count" },
    note: { kind: "text" },
    paid: { kind: "money", nullable: true },
    amount: { kind: "money" },
    whole: { kind: "integer" },
    word: { kind: "choice", values: ["a", "b"] },
    owed: { kind: "money", signed: true },
    stored: { kind: "micros" },
  },
  storedAt: "stored",
  rowBytes: 100,
} as const;

const some = (stored: number): PlainRow => ({
  key: ["one", "two", "three"][below(3)] as string,
  at: MICROS + below(3) * 86_400_000_000 + below(3),
  second: below(5),
  hash: hash(),
  number: [0, 1, 255, 256, 2 ** 32, 2 ** 53 - 1][below(6)] as number,
  note: text(),
  paid: below(3) === 0 ? null : String(below(100)),
  amount: AMOUNTS[below(AMOUNTS.length)] as string,
  whole: INTEGERS[below(INTEGERS.length)] as string,
  word: ["a", "b"][below(2)] as string,
  owed: OWED[below(OWED.length)] as string,
  stored,
});

const compareIn = (column: string, a: PlainRow, b: PlainRow): number => {
  const places = PLACES[column];
  if (places !== undefined) return places.indexOf(a[column]) - places.indexOf(b[column]);
  if (typeof a[column] === "number") return Number(a[column]) - Number(b[column]);
  return bytes(a[column]).compare(bytes(b[column]));
};

function comparing(sort: readonly string[]) {
  return (a: PlainRow, b: PlainRow): number =>
    sort.reduce((difference, column) => difference || compareIn(column, a, b), 0);
}

function rowsBy(index: ServingWriter, question: Parameters<ServingWriter["page"]>[0]): PlainRow[] {
  const page = index.page(question);
  return page.rows.rows.map((rows, at) => {
    const view = index.view().move(rows, page.rows.atOf(at));
    return Object.fromEntries(index.layout.columns.map((column) => [column.name, view.value(column)]));
  });
}

const all = { limit: 1e6, budget: 1e6 };

test.each([
  [["at"]],
  [["at", "note"]],
  [["second", "number", "note"]],
  [["at", "hash", "number", "note"]],
  [["second", "hash", "number"]],
  [["second", "note", "hash"]],
  [["second", "amount"]],
  [["second", "hash", "whole", "word", "amount", "note", "number"]],
] as [[string, ...string[]]][])("orders rows by their sort columns and finds them from any row on: %s", (sort) => {
  const table: ServedTable = { ...base, name: "sorted", sort, byTime: true, keys: ["key"] };
  const index = ServingWriter.open(join(folder, sort.join("-")), table);
  const held = new Map<string, PlainRow>();
  const compare = comparing(sort);
  for (let round = 0; round < 30; round += 1) {
    const batch = index.batch();
    for (let left = below(60); left > 0; left -= 1) {
      const row = some(round);
      batch.add(row);
      held.set(JSON.stringify(sort.map((column) => row[column])), row);
    }
    index.apply({ adds: batch });
    const wanted = [...held.values()].toSorted((a, b) => compare(b, a));
    expect(rowsBy(index, all)).toEqual(wanted);
    const by = { column: "key", values: ["two"] };
    expect(rowsBy(index, { ...all, by })).toEqual(wanted.filter(({ key }) => key === "two"));
    const one = wanted[below(wanted.length)];
    if (one === undefined) continue;
    const from = index.batch();
    from.add(one);
    const before = identityOf(from.rows, 0);
    expect(rowsBy(index, { ...all, before })).toEqual(wanted.filter((row) => compare(row, one) < 0));
    const to = Number(one[sort[0]]);
    expect(rowsBy(index, { ...all, to })).toEqual(wanted.filter((row) => Number(row[sort[0]]) <= to));
  }
  index.close();
});

test("an index by key alone keeps the version of a row stored last, in whatever order versions arrive", () => {
  const table: ServedTable = { ...base, name: "held", sort: ["at"], byTime: false, keys: ["key"], isVersioned: true };
  const index = ServingWriter.open(join(folder, "held"), table);
  const held = new Map<string, PlainRow>();
  const keep = (row: PlainRow): void => {
    const name = `${row["key"]} ${row["at"]}`;
    if (Number(held.get(name)?.["stored"] ?? -1) < Number(row["stored"])) held.set(name, row);
  };
  const check = (): void => {
    for (const key of ["one", "two", "three"]) {
      const wanted = [...held.values()].filter((row) => row["key"] === key).toSorted(comparing(["at"]));
      expect(rowsBy(index, { ...all, by: { column: "key", values: [key] } })).toEqual(wanted.toReversed());
    }
    expect([...index.days.all().values()].reduce((sum, { count }) => sum + count, 0)).toBe(held.size);
  };
  for (let round = 0; round < 60; round += 1) {
    const batch = index.batch();
    for (let left = 1 + below(9); left > 0; left -= 1) {
      const row = { ...some(below(1_000_000)), at: MICROS + below(400) * 60_000_000 };
      batch.add(row);
      keep(row);
    }
    index.apply({ adds: batch });
    check();
  }
  // Replaces the rows of three hours.
  const [from, to] = [MICROS / 1e6 + 3600, MICROS / 1e6 + 4 * 3600 - 1];
  for (const [name, row] of held)
    if (Number(row["at"]) >= from * 1e6 && Number(row["at"]) < (to + 1) * 1e6) held.delete(name);
  const fresh = index.batch();
  for (let minute = 0; minute < 20; minute += 1) {
    const row = { ...some(5), key: "two", at: (from + minute * 60) * 1e6 };
    fresh.add(row);
    keep(row);
  }
  expect([...index.replaceRange(from, to, fresh)].length).toBe(3);
  check();
  expect(() => index.apply({ removes: [Buffer.alloc(8)] })).toThrow("not keyed by time");
  expect(index.removeRange(0, 4_294_967_295)).toBe(held.size);
  index.close();
});
