import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom, testSeed } from "../../../../scripts/vitest/seed.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { tables } from "../../src/catalogue.ts";
import type { KeyedRow, KeyedSpan } from "../../src/definition/served-keyed.ts";
import { LAST_SECOND, type ServedColumn, type ServedTable } from "../../src/definition/served.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import type { TableDefinition } from "../../src/definition/table.ts";
import { NotedReads } from "../../src/query/served/noted-reads.ts";
import { selectKeyed } from "../../src/query/served/select-keyed.ts";
import { readStored } from "../../src/query/served/stored-cells.ts";
import { openFeedThread } from "../../src/serving/feed/thread/feed-thread.ts";
import { openIndex, type ServedIndex } from "../../src/serving/feed/open-index.ts";
import type { ServingReader } from "../../src/serving/reader.ts";
import { keyOfValue } from "../../src/serving/tree-key.ts";
import { UpWalk } from "../../src/serving/up-walk.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { servedIncome, servedIncomeWallets } from "../../src/tables/served-income.ts";
import { servedMarkets } from "../../src/tables/served-markets.ts";
import { servedTokenDays } from "../../src/tables/served-token-days.ts";
import { servedWalletEntries } from "../../src/tables/served-wallet-entries.ts";
import { servedWalletPatterns } from "../../src/tables/served-wallet-patterns.ts";
import { servedWalletScores } from "../../src/tables/served-wallet-scores.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { keysOf, randomRows } from "./keyed-rows.ts";
import { drawOf } from "./random-fills.ts";

type Row = readonly (string | null)[];

const ROUNDS = thoroughly(20, 3);
const MAX_ROWS = 120;
/** The days that keyed-rows.ts draws from. */
const [FIRST, DAYS, DAY] = [Date.UTC(2026, 3, 1) / 1000, 20, 86_400];
const PLENTY = 1e9;
const folder = mkdtempSync(join(tmpdir(), "almanac-keyed-"));
const draw = drawOf(seededRandom());
const thread = openFeedThread();
const failures: unknown[] = [];
const log = { info: () => undefined, error: (error: unknown) => void failures.push(error) };
let store: OpenStore;

beforeAll(async () => void (store = await openTestStore()));
afterAll(async () => {
  await thread.end();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** SQL for the text of a column as the index has it; floats are compared by their bits. */
function wantedOf(column: string, kept: ServedColumn, type: string): string {
  if (kept.kind === "hash" || kept.kind === "wallet") return `concat('0x', lower(hex(${column})))`;
  if (kept.kind === "micros") return `toString(toUnixTimestamp64Micro(${column}))`;
  if (type === "Float64") return `toString(reinterpretAsUInt64(${column}))`;
  if (kept.kind !== "seconds") return `toString(${column})`;
  if (kept.of === "none") return "'0'";
  if (kept.of === "day") return `toString(toUnixTimestamp(toDateTime(${column}, 'UTC')))`;
  return `toString(ifNull(toUnixTimestamp(${column}), 0))`;
}

const bitsOf = (text: string): string => String(new BigUint64Array(Float64Array.of(Number(text)).buffer)[0]);

/** Reads the rows of all keys with one statement. */
async function readRows(served: ServedTable, table: TableDefinition, keys: readonly string[]) {
  const [column] = served.keys as [string];
  const isByTimestamp = served.sort.length === 1 && served.sort[0] in table.columns;
  const noted = new NotedReads();
  const span = { from: FIRST + draw.below(DAYS) * DAY, to: FIRST + draw.below(DAYS) * DAY };
  const run = () =>
    keys.map((key) => ({
      key,
      rows: Array.from(noted.rows(served, column, key), textsOf),
      latest: !isByTimestamp ? [] : Array.from(noted.latest(served, column, key, span), textsOf),
    }));
  function textsOf(row: KeyedRow): Row {
    return Object.keys(served.columns).map((name) => {
      const text = row.value(name);
      if (text === null) return null;
      return table.columns[name]?.stored === "Float64" ? bitsOf(String(text)) : String(text);
    });
  }
  run();
  expect(noted.isWhole()).toBe(false);
  for (const question of noted.missing()) {
    const values = [...question.missing];
    const statement = selectKeyed(question, table, values, 1_000_000);
    noted.learnRows(question, values, [...readStored(await store.read(statement, { format: "Native" }))]);
  }
  const found = run();
  expect(noted.missing()).toEqual([]);
  return { span, found, isByTimestamp };
}

/** Newest rows of a span, down to the first one at or before its start. */
function latestOf(rows: readonly Row[], place: number, { from, to }: KeyedSpan): Row[] {
  const until = rows.filter((row) => Number(row[place]) <= to).toReversed();
  const end = until.findIndex((row) => Number(row[place]) <= from);
  return end === -1 ? until : until.slice(0, end + 1);
}

/** Functions that read the rows of a key in order, from the store and from the index. */
function readersOf(served: ServedTable, { columns: stored }: TableDefinition) {
  const [key] = served.keys as [string];
  const columns = Object.entries(served.columns);
  const typeOf = (column: string): string => stored[column]?.stored ?? "";
  const shown = columns.map(([column, kept], at) => `${wantedOf(`t.${column}`, kept, typeOf(column))} AS c${at}`);
  const order = served.sort
    .filter((column) => column in stored)
    .map((column) => (served.columns[column]?.kind === "choice" ? `toString(t.${column})` : `t.${column}`));
  const from = `${served.name} AS t ${served.isVersioned === true ? "FINAL" : ""}`;
  return {
    ofStore: async (value: string): Promise<Row[]> => {
      const is = value.startsWith("0x") ? `unhex('${value.slice(2)}')` : `toUInt256('${value}')`;
      const by = [...order, `t.${key}`].join(", ");
      const requested = `SELECT ${shown.join(", ")} FROM ${from} WHERE t.${key} = ${is} ORDER BY ${by}`;
      return (await store.rows<Record<string, string | null>>(fromDefinition(requested))).map(Object.values);
    },
    ofIndex: (reader: ServingReader, value: string): Row[] =>
      reader.read(() => {
        const { layout } = reader;
        const bytes = keyOfValue(layout.column(key), value, reader.dictionary);
        const walk = bytes && new UpWalk(reader.treeBy(key), layout, bytes, 0);
        const view = reader.view();
        const found: Row[] = [];
        while (walk?.step() === true && walk.rows !== undefined) {
          view.move(walk.rows, walk.at);
          const texts = layout.columns.map((column) => {
            const text = view.value(column);
            if (text === null) return null;
            return typeOf(column.name) === "Float64" ? bitsOf(String(text)) : String(text);
          });
          found.push(texts);
        }
        return found;
      }),
  };
}

test.each([
  servedTokenDays,
  servedWalletEntries,
  servedWalletPatterns,
  servedWalletScores,
  servedIncome,
  servedIncomeWallets,
  servedMarkets,
])(
  "$name: rows by key equal the store's while rows arrive, arrive late, are sent again and are deleted",
  async (served) => {
    const table = tables.find(({ name }) => name === served.name) as TableDefinition;
    const { ofStore, ofIndex } = readersOf(served, table);
    const [timestamp] = served.sort;
    const place = Object.keys(served.columns).indexOf(timestamp);
    const keys = keysOf(table, served.keys[0] as string);
    let index: ServedIndex | undefined;
    store.onChanged(({ name }, left) => void (name === served.name && index?.changed(left)));
    const open = (maxBytes: number): ServedIndex =>
      (index = openIndex({
        store,
        served,
        table,
        folder: join(folder, served.name),
        maxBytes: async () => maxBytes,
        thread,
        log,
      }));
    const caughtUp = async (): Promise<ServingReader> => {
      await expect.poll(() => [index?.behindMs(), failures], { interval: 10, timeout: 30_000 }).toEqual([0, []]);
      return index?.reader() as ServingReader;
    };
    /** Compares the rows from the floor on; returns how many the index has. */
    const check = async (): Promise<number> => {
      const reader = await caughtUp();
      let rows = 0;
      const stored = new Map<string, Row[]>();
      for (const key of keys) {
        const held = ofIndex(reader, key);
        const whole = await ofStore(key);
        stored.set(key, whole);
        expect(held, `seed ${testSeed()}: ${served.name} of ${key}`).toEqual(
          whole.filter((row) => Number(row[place]) >= (reader.floor() ?? 0)),
        );
        rows += held.length;
      }
      const { span, found, isByTimestamp } = await readRows(served, table, keys);
      for (const { key, rows: all, latest } of found) {
        const whole = stored.get(key) as Row[];
        expect(all, `seed ${testSeed()}: ${served.name} of ${key}`).toEqual(whole);
        if (isByTimestamp) expect(latest).toEqual(latestOf(whole, place, span));
      }
      const counted = [...reader.days.all().values()].reduce((sum, { count }) => sum + count, 0);
      expect(counted).toBe(rows);
      return rows;
    };
    const insert = (): Promise<unknown> => store.insert(table, randomRows(table, draw, MAX_ROWS));
    const takeAway = async (): Promise<void> => {
      for (const name of [table.name, ...Object.keys(table.copies ?? {})])
        await store.alter(fromDefinition(`DELETE FROM ${name} WHERE cityHash64(${table.key.join(", ")}) % 4 = 0`));
    };
    await insert();
    open(PLENTY);
    expect(await check()).toBeGreaterThan(0);
    for (let round = 1; round < ROUNDS; round += 1) {
      await insert();
      await check();
    }
    await takeAway();
    index?.changed("unknown");
    await check();
    await insert();
    await check();
    // Changes made while the index is closed.
    await index?.close();
    await insert();
    await takeAway();
    open(PLENTY);
    const all = await check();
    await index?.close();
    // If not all rows fit, the index keeps the newest ones, and none of a table without timestamps.
    const most = Math.floor(all / 2);
    open(most * served.rowBytes);
    const isFull = async (): Promise<boolean> => ((await caughtUp()).floor() ?? 0) > 0;
    await expect.poll(isFull, { interval: 10, timeout: 30_000 }).toBe(true);
    const held = await check();
    expect(held).toBeLessThanOrEqual(most);
    if (timestamp in table.columns) expect(held).toBeGreaterThan(0);
    else expect([held, index?.reader()?.floor()]).toEqual([0, LAST_SECOND + 1]);
    await insert();
    await check();
    await index?.close();
  },
);
