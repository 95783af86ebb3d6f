import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { numberOfDay } from "../../src/definition/day-of.ts";
import { defineDaysDerivation } from "../../src/definition/day-derivation.ts";
import type { PackedRows } from "../../src/definition/packed-rows.ts";
import { RowWriter } from "../../src/definition/row-writer.ts";
import { sql } from "../../src/definition/sql.ts";
import { runDays } from "../../src/ingest/day/run-days.ts";
import { openFeedThread } from "../../src/serving/feed/thread/feed-thread.ts";
import { openIndex, type ServedIndex } from "../../src/serving/feed/open-index.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { servedWalletPatterns } from "../../src/tables/served-wallet-patterns.ts";
import { walletPatterns } from "../../src/tables/wallet-patterns.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { hex } from "../fixtures/sample-rows.ts";
import { withoutWaits } from "../ingest/clocks.ts";

const WALLET = hex(7, 40);
const folder = mkdtempSync(join(tmpdir(), "almanac-days-"));
const log = { info: () => undefined, error: () => undefined };
const thread = openFeedThread();
let store: OpenStore;
let index: ServedIndex;

beforeAll(async () => {
  store = await openTestStore();
  store.onChanged((_table, left) => index?.changed(left));
  index = openIndex({
    store,
    served: servedWalletPatterns,
    table: walletPatterns,
    folder,
    maxBytes: async () => 1e9,
    thread,
    log,
  });
});
afterAll(async () => {
  await index.close();
  await thread.end();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A row of the wallet on each of the days, one after the other; `between` runs after each. */
const patternsOf = (between: () => Promise<void>) =>
  defineDaysDerivation({
    name: "patterns",
    title: "Patterns",
    from: [],
    into: walletPatterns,
    after: [],
    touched: ({ today }) => sql`SELECT toString(toDate(${today})) AS day`,
    sizes: () => sql`SELECT '' AS day, '0' AS size`,
    rowsOfSlice: async function* (days) {
      for (const day of days.value as readonly string[]) {
        yield rowOf(day);
        await between();
      }
    },
  });

function rowOf(day: string): PackedRows {
  const row = new RowWriter();
  row.begin();
  row.day(numberOfDay(day));
  row.hex(WALLET);
  row.small(1);
  row.real(50);
  row.hex(hex(0, 40));
  row.count(0);
  row.count(5);
  row.real(0.5);
  row.real(0);
  row.text("");
  row.flag(false);
  return row.packed();
}

const make = (
  days: readonly string[],
  nowMs: number,
  { by = store, between = () => Promise.resolve() }: { by?: OpenStore; between?: () => Promise<void> } = {},
): Promise<void> =>
  runDays(patternsOf(between), days, {
    store: by,
    clock: withoutWaits(() => nowMs),
    onDerived: store.changed,
    signal: new AbortController().signal,
  });

/** The wallet's days in the index, as the Unix second of each, once it has all stored rows. */
async function held(): Promise<unknown[]> {
  await expect.poll(() => index.behindMs(), { interval: 10, timeout: 20_000 }).toBe(0);
  const reader = index.reader();
  if (reader === undefined) throw new Error("no index");
  const { rows } = reader.page({ limit: 99, budget: 99, by: { column: "wallet", values: [WALLET] } });
  return rows.rows.map((some, row) => reader.view().move(some, rows.atOf(row)).number(reader.layout.column("day")));
}

test("rows of other days reach an index after the clock was set back, whichever process makes them", async () => {
  const [now, days] = [Date.now(), ["2026-05-20", "2026-05-19", "2026-05-18"] as const];
  const seconds = days.map((day) => Date.parse(day) / 1000);
  await make([days[0]], now + 3_600_000);
  expect(await held()).toEqual(seconds.slice(0, 1));
  await make([days[1]], now);
  expect(await held()).toEqual(seconds.slice(0, 2));
  await make([days[2]], now, { by: { ...store } });
  expect(await held()).toEqual(seconds);
});

test("an index that is compared with the store while days are written gets the rest of their rows", async () => {
  const before = await held();
  const days = ["2026-05-15", "2026-05-16", "2026-05-17"];
  let isCompared = false;
  const compare = async (): Promise<void> => {
    if (isCompared) return;
    isCompared = true;
    index.changed("unknown");
    await held();
  };
  await make(days, Date.now(), { between: compare });
  expect(await held()).toEqual([...before, ...days.map((day) => Date.parse(day) / 1000).toReversed()]);
});

test("an index gets the rows of a day although the engine's answer to the last statement was lost", async () => {
  const before = await held();
  const run: OpenStore["run"] = async (...given) => {
    await store.run(...given);
    throw new Error("the connection was closed");
  };
  await expect(make(["2026-05-21"], Date.now(), { by: { ...store, run } })).rejects.toThrow("closed");
  await make(["2026-05-21"], Date.now());
  expect(await held()).toEqual([Date.parse("2026-05-21") / 1000, ...before]);
});
