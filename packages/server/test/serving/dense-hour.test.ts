import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fromDefinition } from "../../src/definition/sql.ts";
import { openIndex, type ServedIndex } from "../../src/serving/feed/open-index.ts";
import { readNative } from "../../src/serving/feed/native.ts";
import { openFeedThread } from "../../src/serving/feed/thread/feed-thread.ts";
import type { ServingReader } from "../../src/serving/reader.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { servedFills } from "../../src/tables/served-fills.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { FILL_START, fill, hex, table } from "../fixtures/sample-rows.ts";

const fills = table("polymarket_fills");
const COPIES = Object.keys(fills.copies ?? {});
const STEP_ROWS = 20_000;
const INSERT_ROWS = 5000;
/** More than one step reads. */
const ROWS = STEP_ROWS + 2 * INSERT_ROWS;
const HOUR = Math.ceil(FILL_START / 3600) * 3600;
const log = { info: () => undefined, error: () => undefined };
const folder = mkdtempSync(join(tmpdir(), "almanac-dense-"));
const thread = openFeedThread();
let store: OpenStore;
beforeAll(async () => {
  store = await openTestStore();
  const rows = Array.from({ length: ROWS }, (_, at) =>
    fill(at, { ts: HOUR + Math.floor((at * 3600) / ROWS), wallet: hex(at % 40, 40) }),
  );
  // Rows of one insert have one stamp, and those of one stamp are read together.
  for (let from = 0; from < ROWS; from += INSERT_ROWS) await store.insert(fills, rows.slice(from, from + INSERT_ROWS));
}, 120_000);
afterAll(async () => {
  await thread.end();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens the index; `sizes` collects how many rows each statement that reads rows returned. */
async function open(sizes: number[]): Promise<ServedIndex & { readonly held: ServingReader }> {
  const read: OpenStore["read"] = async (statement, reading) => {
    const bytes = await store.read(statement, reading);
    sizes.push(Array.from(readNative(bytes)).reduce((sum, { count }) => sum + count, 0));
    return bytes;
  };
  const opened = openIndex({
    store: { ...store, read },
    served: servedFills,
    table: fills,
    folder,
    maxBytes: async () => 1e9,
    thread,
    log,
  });
  await expect.poll(() => opened.reader(), { interval: 5, timeout: 60_000 }).toBeDefined();
  return { ...opened, held: opened.reader() as ServingReader };
}

/** Deletes a row from the table and its further sort orders. */
async function remove(block: number): Promise<void> {
  for (const name of [fills.name, ...COPIES])
    await store.alter(
      fromDefinition(`ALTER TABLE ${name} DELETE WHERE block_number = ${block} SETTINGS mutations_sync = 1`),
    );
}

const countOf = ({ days }: ServingReader): number =>
  [...days.all().values()].reduce((sum, { count }) => sum + count, 0);

test(
  "an hour with many rows that differs from the store is read again in several steps",
  { timeout: 120_000 },
  async () => {
    await (await open([])).close();
    await remove(1005);
    const sizes: number[] = [];
    const opened = await open(sizes);
    expect(countOf(opened.held)).toBe(ROWS - 1);
    expect(sizes.reduce((sum, rows) => sum + rows, 0)).toBeGreaterThanOrEqual(ROWS - 1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(STEP_ROWS + INSERT_ROWS);
    await opened.close();
  },
);

test(
  "an hour with many rows of which one is removed meanwhile is read again in several steps",
  { timeout: 120_000 },
  async () => {
    const sizes: number[] = [];
    const opened = await open(sizes);
    const before = countOf(opened.held);
    sizes.length = 0;
    // A row of the last step, so that all steps were read once it is gone.
    await remove(1000 + ROWS - 2);
    opened.changed([{ from: HOUR, to: HOUR + 3599 }]);
    await expect.poll(() => countOf(opened.held), { interval: 5, timeout: 60_000 }).toBe(before - 1);
    expect(sizes.reduce((sum, rows) => sum + rows, 0)).toBeGreaterThanOrEqual(before - 1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(STEP_ROWS + INSERT_ROWS);
    await opened.close();
  },
);
