import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { dayDerivations, derivations } from "../../src/catalogue.ts";
import type { DaysDerivation } from "../../src/definition/day-derivation.ts";
import type { Rebuild, RowsDerivation, Slice } from "../../src/definition/derivation.ts";
import { isPacked, type PackedRows } from "../../src/definition/packed-rows.ts";
import { bind, fromDefinition, type Sql } from "../../src/definition/sql.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { openDerivationThreads } from "../../src/main/derive/derivation-threads.ts";
import { StoreError } from "../../src/store/statement.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { openSmallWorld } from "../fixtures/open-small-world.ts";

const BINARY_READING = { max_result_bytes: 0 };
const ofDays = dayDerivations.filter((one): one is DaysDerivation => "rowsOfSlice" in one);
const ofBuckets = derivations.filter((one): one is RowsDerivation => one.rows !== undefined);

let store: OpenStore;
let days: readonly string[];
let threads = openDerivationThreads(2);
beforeAll(async () => {
  store = await openSmallWorld({ seed: 11, fills: 3_000, days: 10, wallets: 800 });
  const found = await store.rows<{ day: string }>(
    fromDefinition("SELECT DISTINCT toString(toDate(ts, 'UTC')) AS day FROM polymarket_fills ORDER BY day"),
  );
  days = found.map(({ day }) => day);
});
afterEach(async () => {
  await threads.end();
  threads = openDerivationThreads(2);
});
afterAll(async () => {
  await threads.end();
  await store?.close();
});

const readBytes = (statement: Sql, format: string): Promise<Uint8Array> =>
  store.read(statement, { format, settings: BINARY_READING });
const read = <T extends Record<string, unknown>>(statement: Sql): Promise<T[]> => store.rows<T>(statement);

/** All rows, packed ones as their bytes and where they begin. */
async function textOf(made: AsyncIterable<readonly InsertRow[] | PackedRows>): Promise<readonly unknown[]> {
  const parts: unknown[] = [];
  for await (const rows of made)
    parts.push(isPacked(rows) ? [rows.bytes.toString("latin1"), [...rows.starts]] : JSON.stringify(rows));
  return parts;
}

async function rowsOfDays(derivation: DaysDerivation): Promise<readonly unknown[]> {
  const bound = bind("Array(Date)", days);
  const whole: Slice = { first: days[0] ?? "", last: days.at(-1) ?? "" };
  const slices = "slices" in derivation ? await store.rows<Slice>(derivation.slices(bound)) : [whole];
  const parts = [];
  for (const slice of slices) parts.push(...(await textOf(derivation.rowsOfSlice(bound, slice, readBytes))));
  return parts;
}

async function rowsOfBuckets(derivation: RowsDerivation): Promise<readonly unknown[]> {
  const range = { from: "2000-01-01 00:00:00", to: "2100-01-01 00:00:00", starts: undefined, version: "1" };
  const slices = derivation.slices ? await store.rows<Slice>(derivation.slices) : [];
  const asked: Rebuild[] = derivation.slices ? slices.map((slice) => Object.assign({ slice }, range)) : [range];
  const parts = [];
  for (const one of asked) parts.push(...(await textOf(derivation.rows(one, { read, readBytes, memory: new Map() }))));
  return parts;
}

test("rows of days are made in a thread as they are here, to the byte", async () => {
  const made = await Promise.all(ofDays.map((one) => rowsOfDays(one)));
  expect(made.filter((parts) => parts.length > 0).length).toBeGreaterThan(2);
  expect(await Promise.all(ofDays.map((one) => rowsOfDays(threads.days(one))))).toEqual(made);
});

test("rows of buckets are made in a thread as they are here, to the byte", async () => {
  const made = await Promise.all(ofBuckets.map((one) => rowsOfBuckets(one)));
  expect(made.filter((parts) => parts.length > 0).length).toBeGreaterThan(1);
  expect(await Promise.all(ofBuckets.map((one) => rowsOfBuckets(threads.buckets(one))))).toEqual(made);
});

test("what a reading throws is thrown as it is, and the thread goes on", async () => {
  const [derivation] = ofDays;
  const gone = new StoreError("absent", 0, "the engine does not answer");
  const threaded = threads.days(derivation as DaysDerivation);
  const failing = threaded.rowsOfSlice(bind("Array(Date)", days), { first: "", last: "" }, () => Promise.reject(gone));
  await expect(textOf(failing)).rejects.toBe(gone);
  expect(await rowsOfDays(threaded)).toEqual(await rowsOfDays(derivation as DaysDerivation));
});

test("rows that are waited for fail where their thread ends, and further ones are made in another", async () => {
  const [derivation] = ofDays;
  const threaded = threads.days(derivation as DaysDerivation);
  const asked = Promise.withResolvers<void>();
  const waiting = textOf(
    threaded.rowsOfSlice(bind("Array(Date)", days), { first: "", last: "" }, () => {
      asked.resolve();
      return new Promise(() => undefined);
    }),
  );
  waiting.catch(() => undefined);
  await asked.promise;
  await threads.end();
  await expect(waiting).rejects.toThrow("the thread that makes rows of derivations ended");
  expect(await rowsOfDays(threaded)).toEqual(await rowsOfDays(derivation as DaysDerivation));
});
