import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { microText } from "../../src/definition/value-text.ts";
import { NULL_MICROS, type PlainRow } from "../../src/serving/batch.ts";
import { KeyVersions, ReadSet } from "../../src/serving/key-versions.ts";
import { layoutOf } from "../../src/serving/layout.ts";
import type { ServedTable } from "../../src/definition/served.ts";
import { microsOf } from "../../src/definition/micros.ts";
import { identityOf } from "../../src/serving/order.ts";
import type { Page } from "../../src/serving/page.ts";
import { ServingReader } from "../../src/serving/reader.ts";
import { ServingWriter } from "../../src/serving/writer.ts";
import { bytesOfToken } from "../../src/definition/bytes.ts";
import { fill, fillsTable } from "./fills.ts";

const folder = mkdtempSync(join(tmpdir(), "almanac-serving-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CHOICES = ["a", "b", "c"];
const table: ServedTable = {
  name: "all_kinds",
  columns: {
    note: { kind: "text" },
    wallet: { kind: "wallet" },
    paid: { kind: "money" },
    near: { kind: "count", near: true },
    far: { kind: "count" },
    other: { kind: "choice", values: Array.from({ length: 300 }, (_, index) => `value ${index}`) },
    token: { kind: "token" },
    hash: { kind: "hash" },
    whole: { kind: "integer" },
    seen: { kind: "seconds" },
    ts: { kind: "seconds" },
    got: { kind: "money" },
    one: { kind: "choice", values: CHOICES },
    rare: { kind: "money", nullable: true },
    is: { kind: "flag" },
    stored: { kind: "micros" },
    milli: { kind: "millis" },
  },
  sort: ["ts", "hash", "wallet"],
  byTime: true,
  storedAt: "stored",
  rowBytes: 500,
  keys: ["token", "wallet", "note", "hash", "whole"],
};

const extreme = (values: readonly number[], max: number) => fc.oneof(fc.constantFrom(...values), fc.nat({ max }));
const seconds = extreme([0, 4_294_967_295], 2_000_000_000);
const count = fc.oneof(extreme([0, 127, 128, 2 ** 32, 2 ** 53 - 1], 1e9), fc.maxSafeNat());
const hex = (bytes: number) =>
  fc.oneof(
    fc.constantFrom(`0x${"00".repeat(bytes)}`, `0x${"ff".repeat(bytes)}`),
    fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => `0x${Buffer.from(value).toString("hex")}`),
  );
const micros = fc.oneof(
  fc.constantFrom(0n, 1n, -1n, 2n ** 53n - 2n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n, 1n - 2n ** 63n),
  fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }),
  fc.bigInt({ min: 0n, max: 10n ** 9n }),
);
const money = micros.map(microText);
const tokens = fc.oneof(
  fc.constantFrom("0", String(2n ** 256n - 1n)),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
);
const text = fc.oneof(fc.constantFrom("", "a", "ab", "ß".repeat(127)), fc.string({ maxLength: 60, unit: "grapheme" }));
const row: fc.Arbitrary<PlainRow> = fc.record({
  note: text,
  wallet: hex(20),
  paid: money,
  near: count,
  far: count,
  other: fc.nat({ max: 299 }).map((index) => `value ${index}`),
  token: tokens,
  hash: hex(32),
  seen: seconds,
  ts: seconds,
  got: money,
  one: fc.constantFrom(...CHOICES),
  rare: fc.option(money),
  is: fc.constantFrom("false", "true"),
  stored: count,
  whole: tokens,
  milli: count,
});

const plainRows = (index: ServingReader, page: Page): PlainRow[] =>
  page.rows.rows.map((rows, at) => {
    const view = index.view().move(rows, page.rows.atOf(at));
    return Object.fromEntries(Object.keys(table.columns).map((name) => [name, view.value(index.layout.column(name))]));
  });
const identityText = ({ ts, hash, wallet }: PlainRow): string => `${ts} ${hash} ${wallet}`;
const byIdentity = (rows: readonly PlainRow[]) =>
  [...new Map(rows.map((each) => [identityText(each), each])).values()].toSorted((a, b) =>
    identityText(a) < identityText(b) ? -1 : 1,
  );

test("reads every row as it was written, under each of its keys", () => {
  const index = ServingWriter.open(join(folder, "kinds"), table);
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
      const adds = index.batch();
      for (const each of rows) adds.add(each);
      index.apply({ adds });
      const all = { limit: 1000, budget: 1000 };
      const wanted = byIdentity(rows);
      expect(byIdentity(plainRows(index, index.page(all)))).toEqual(wanted);
      for (const column of table.keys) {
        const values = rows.map((each) => String(each[column]));
        expect(byIdentity(plainRows(index, index.page({ ...all, by: { column, values } })))).toEqual(wanted);
      }
      expect(index.removeRange(0, 4_294_967_295)).toBe(wanted.length);
    }),
  );
  index.close();
});

test("adding rows as columns equals adding them one by one", () => {
  const index = ServingWriter.open(join(folder, "columns"), table);
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 20 }),
      fc.array(micros, { minLength: 20, maxLength: 20 }),
      (rows, amounts) => {
        const bytes = (name: string) => Buffer.from(rows.map((each) => String(each[name]).slice(2)).join(""), "hex");
        const texts = (name: string) => rows.map((each) => String(each[name]));
        const numbers = (name: string) => rows.map((each) => Number(each[name]));
        const adds = index.batch();
        adds.addColumns(rows.length, {
          note: texts("note"),
          wallet: bytes("wallet"),
          paid: BigInt64Array.from(amounts.slice(0, rows.length)),
          near: Float64Array.from(numbers("near")),
          far: Uint32Array.from(numbers("far")),
          other: texts("other"),
          token: texts("token"),
          hash: bytes("hash"),
          seen: Uint32Array.from(numbers("seen")),
          ts: Float64Array.from(numbers("ts")),
          got: texts("got"),
          one: Uint8Array.from(rows, (each) => CHOICES.indexOf(String(each["one"]))),
          rare: BigInt64Array.from(rows, (each) => {
            const amount = each["rare"];
            return typeof amount === "string" ? BigInt(microsOf(amount)) : NULL_MICROS;
          }),
          is: Uint8Array.from(rows, (each) => Number(each["is"] === "true")),
          stored: Float64Array.from(numbers("stored")),
          whole: Buffer.concat(texts("whole").map(bytesOfToken)),
          milli: Float64Array.from(numbers("milli")),
        });
        index.apply({ adds });
        const wanted = rows.map((each, at) => ({
          ...each,
          paid: microText(amounts[at] as bigint),
          far: Number(each["far"]) % 2 ** 32,
        }));
        expect(byIdentity(plainRows(index, index.page({ limit: 100, budget: 100 })))).toEqual(byIdentity(wanted));
        index.removeRange(0, 4_294_967_295);
      },
    ),
  );
  index.close();
});

test("parses money exactly from any decimal text and rejects anything else", () => {
  fc.assert(fc.property(micros, (amount) => BigInt(microsOf(microText(amount))) === amount));
  expect([microsOf("1.500000"), microsOf("007"), microsOf("-0.0"), microsOf("0.000001")]).toEqual([1.5e6, 7e6, 0, 1]);
  expect(microsOf("9007199254.740991")).toBe(2n ** 53n - 1n);
  for (const wrong of ["", ".", "1.", ".5", "-", "1e3", "1.0000001", " 1", "1,5", "NaN", "1.2.3", "--1"])
    expect(() => microsOf(wrong)).toThrow("is not a decimal number");
});

test("rejects values of the wrong kind and leaves nothing behind", () => {
  const index = ServingWriter.open(join(folder, "refused"), fillsTable);
  const good = fill(5, 1, 1);
  const adds = index.batch();
  for (const [name, value] of [
    ["ts", -1],
    ["ts", 2 ** 32],
    ["ts", "5"],
    ["tx_hash", `0x${"0".repeat(62)}zz`],
    ["tx_hash", "0x00"],
    ["wallet", `1x${"0".repeat(40)}`],
    ["token_id", String(2n ** 256n)],
    ["token_id", "01"],
    ["side", "HOLD"],
    ["usd", 1.5],
    ["log_index", 2 ** 53],
    ["log_index", 0.5],
    ["label", 5],
  ] as const)
    expect(() => adds.add({ ...good, [name]: value }), `${name} ${value}`).toThrow(TypeError);
  expect(() => adds.addColumns(1, { ts: Uint32Array.of(1, 2) })).toThrow("ts has 2 values, not 1");
  adds.add({ ...good, label: "x".repeat(256) });
  expect(() => index.apply({ adds, mark: Buffer.from("1") })).toThrow("at most 255");
  expect([index.page({ limit: 1, budget: 1 }).searched, index.mark()]).toEqual([0, undefined]);
  expect(() => index.page({ limit: 1, budget: 1, by: { column: "wallet", values: ["0x00"] } })).toThrow("not a wallet");
  expect(() => index.page({ limit: 1, budget: 1, by: { column: "usd", values: [] } })).toThrow("not keyed by usd");
  expect(() => index.apply({ removes: [Buffer.alloc(3)] })).toThrow("identity of 3 bytes");
  index.close();
});

test("keeps rows of one sort key in one entry, however many they are", () => {
  const index = ServingWriter.open(join(folder, "one-sort-key"), fillsTable);
  // Their hashes begin with zeros: all numbers below 24 that are told apart by their last bytes alone.
  const alike = Array.from({ length: 400 }, (_, number) => ({
    ...fill(5, 0, 1),
    order_hash: `0x${"0".repeat(60)}${number.toString(16).padStart(4, "0")}`,
    log_index: number,
  }));
  const batchOf = (rows: readonly PlainRow[]) => {
    const batch = index.batch();
    for (const each of rows) batch.add(each);
    return batch;
  };
  const builder = index.build();
  builder.add(batchOf(alike.slice(0, 200)));
  expect(() => builder.add(batchOf(alike.slice(0, 1)))).toThrow("not in order");
  builder.add(batchOf(alike.slice(200, 300)));
  builder.end();
  expect(() => index.build().add(batchOf(alike))).toThrow("not ordered by key");
  index.removeRange(0, 10);
  for (let from = 0; from < 400; from += 50) index.apply({ adds: batchOf(alike.slice(from, from + 50).toReversed()) });
  const seen: number[] = [];
  const column = index.layout.column("log_index");
  for (let before: Buffer | undefined; ;) {
    const page = index.page({
      limit: 30,
      budget: 1000,
      before,
      by: { column: "wallet", values: [String(fill(5, 0, 1)["wallet"])] },
    });
    for (const [at, rows] of page.rows.rows.entries())
      seen.push(index.view().move(rows, page.rows.atOf(at)).number(column));
    if (page.end === "rows") break;
    before = page.last;
  }
  expect(seen).toEqual(alike.map((_, number) => 399 - number));
  index.apply({ removes: [identityOf(batchOf(alike.slice(7, 8)).rows, 0)] });
  expect(index.page({ limit: 1000, budget: 1000 }).searched).toBe(399);
  index.close();
});

const rowsOfWallet = (from: ServingReader): number =>
  from.page({ limit: 9, budget: 9, by: { column: "wallet", values: [String(fill(1, 0, 1)["wallet"])] } }).searched;

test("a snapshot keeps the rows of its time until it is closed, and records which keys were read", () => {
  const own = join(folder, "snapshot");
  const versions = new KeyVersions();
  const index = ServingWriter.open(own, fillsTable, versions);
  const add = (second: number) => {
    const adds = index.batch();
    adds.add(fill(second, 0, 1));
    index.apply({ adds, floor: 0 });
  };
  add(1);
  const reader = ServingReader.open(own, fillsTable, versions) as ServingReader;
  const readSet = new ReadSet();
  const snapshot = reader.snapshot(readSet);
  expect(rowsOfWallet(snapshot)).toBe(1);
  add(2);
  expect([rowsOfWallet(snapshot), rowsOfWallet(reader)]).toEqual([1, 2]);
  snapshot.close();
  expect([rowsOfWallet(reader), readSet.isCurrent()]).toEqual([2, false]);
  const again = new ReadSet();
  const second = reader.snapshot(again);
  expect(rowsOfWallet(second)).toBe(2);
  second.close();
  expect(again.isCurrent()).toBe(true);
  add(3);
  expect([rowsOfWallet(reader), again.isCurrent()]).toEqual([3, false]);
  reader.close();
  index.close();
});

test("keeps one index per declaration in a folder, and rejects a file of another schema without changing it", () => {
  const own = join(folder, "schemas");
  expect(ServingReader.open(own, table)).toBeUndefined();
  const first = ServingWriter.open(own, table);
  first.apply({ mark: Buffer.from([1, 2]), floor: 7 });
  const other = ServingWriter.open(own, { ...table, keys: ["wallet"] });
  expect([other.mark(), other.floor(), other.layout.schema === first.layout.schema]).toEqual([
    undefined,
    undefined,
    false,
  ]);
  const reader = ServingReader.open(own, table);
  expect([reader?.mark(), reader?.floor()]).toEqual([Buffer.from([1, 2]), 7]);
  expect(() => reader?.store.put("meta", Buffer.from("mark"), Buffer.from("x"))).toThrow("readonly");
  reader?.close();
  first.store.put("meta", Buffer.from("schema"), Buffer.from("other"));
  first.close();
  expect(() => ServingWriter.open(own, table)).toThrow("holds rows of schema other");
  expect(() => ServingReader.open(own, table)).toThrow("must be rebuilt");
  other.close();
  for (const wrong of [
    { sort: ["hash", "ts", "wallet"] },
    { sort: ["ts", "token"] },
    { sort: ["ts", "seen"] },
    { sort: ["ts", "rare"] },
    { sort: ["ts", "other"] },
    { sort: ["ts", "hash", "wallet", "far", "near", "paid", "got", "note"] },
    { keys: ["paid"] },
    { keys: ["none"] },
    { byTime: false },
    { byTime: false, keys: [] },
    { isVersioned: true },
  ] as const)
    expect(() => layoutOf({ ...table, ...(wrong as Partial<ServedTable>) })).toThrow(TypeError);
});
