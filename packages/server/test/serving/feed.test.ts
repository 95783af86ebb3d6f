import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { fromDefinition } from "../../src/definition/sql.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { layoutOf } from "../../src/serving/layout.ts";
import { openIndex, type ServedIndex } from "../../src/serving/feed/open-index.ts";
import { openFeedThread } from "../../src/serving/feed/thread/feed-thread.ts";
import type { ServingReader } from "../../src/serving/reader.ts";
import type { ServedTable } from "../../src/definition/served.ts";
import { servedFills } from "../../src/tables/served-fills.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { heldBy, storedFills } from "./every-fill.ts";
import { FILL_START, fill, hex, table, tokenId } from "../fixtures/sample-rows.ts";

const fills = table("polymarket_fills");
const folder = mkdtempSync(join(tmpdir(), "almanac-feed-"));
let failures = 0;
const log = { info: () => undefined, error: () => void (failures += 1) };
const thread = openFeedThread();
const random = seededRandom();
let store: OpenStore;
let index: ServedIndex | undefined;

beforeAll(async () => (store = await openTestStore()));
afterEach(async () => {
  await index?.close();
  index = undefined;
});
afterAll(async () => {
  await thread.end();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(name: string, maxBytes = 1_000_000_000, served: ServedTable = servedFills): ServedIndex {
  const opened = openIndex({
    store,
    served,
    table: fills,
    folder: join(folder, name),
    maxBytes: async () => maxBytes,
    thread,
    log,
  });
  store.onChanged(({ name: changed }, left) => changed === fills.name && opened.changed(left));
  return (index = opened);
}

/** Waits until the index has all stored rows. */
async function caughtUp(opened: ServedIndex): Promise<ServingReader> {
  await expect.poll(() => opened.behindMs(), { interval: 10 }).toBe(0);
  return opened.reader() as ServingReader;
}

const stored = (since = 0): Promise<string[]> => storedFills(store, since);

const iso = (second: number): string => new Date(second * 1000).toISOString();

const BATCHES = thoroughly(12, 4);

/** Fills of several wallets, tokens and days, some late; every seventh comes from a source of provisional rows. */
const some = (count: number, from: number) =>
  Array.from({ length: count }, (_, at) =>
    fill(from + at, {
      ts: FILL_START + Math.floor(random() * 400_000),
      wallet: hex(Math.floor(random() * 40), 40),
      token_id: tokenId(Math.floor(random() * 4)),
      ...((from + at) % 7 === 0 ? { source: "data_api_v2", block_number: 0 } : {}),
    }),
  );

test("an index follows stored, late, replaced and rolled back rows", async () => {
  await store.insert(fills, some(thoroughly(3000, 1200), 0));
  const opened = open("whole");
  expect(heldBy(await caughtUp(opened))).toEqual(await stored());
  for (let batch = 0; batch < BATCHES; batch += 1) {
    await store.insert(fills, some(1 + Math.floor(random() * 200), 4000 + batch * 1000));
    const block = 90_000 + batch;
    const at = FILL_START + 500_000 + batch * 2;
    const inBlock = [0, 1, 2].map((place) => fill(block * 10 + place, { ts: at, block_number: block }));
    await store.insert(fills, inBlock);
    const scope = { from: block, to: block, since: iso(at - 2), until: iso(at) };
    await store.replace(fills, inBlock.slice(0, batch % 3), { scope, before: async () => undefined });
  }
  // The chain reports a transaction that the Data API reported first.
  const reported = fill(7 * 1000, { source: "data_api_v2", block_number: 0, ts: FILL_START + 77 });
  await store.insert(fills, [reported]);
  await store.insert(fills, [{ ...reported, order_hash: hex(123_456), source: "chain_v2", block_number: 5 }]);
  expect(heldBy(await caughtUp(opened))).toEqual(await stored());
});

test("an index has all rows of a batch of two months, of which the engine shows one month first", async () => {
  const opened = open("months");
  await store.insert(fills, some(20, 25_000));
  await caughtUp(opened);
  for (const name of [...Object.keys(fills.copies ?? {}), fills.name])
    await store.run(
      fromDefinition(
        `INSERT INTO ${name} SELECT * REPLACE (ts + toIntervalDay(31) AS ts) FROM polymarket_fills WHERE ingested_at = (SELECT max(ingested_at) FROM polymarket_fills)`,
      ),
    );
  opened.changed();
  expect(heldBy(await caughtUp(opened))).toEqual(await stored());
});

test("an index that is opened again finds what changed while it was closed", async () => {
  const opened = open("again");
  await caughtUp(opened);
  await opened.close();
  await store.insert(fills, some(50, 30_000));
  for (const name of [fills.name, ...Object.keys(fills.copies ?? {})])
    await store.alter(fromDefinition(`DELETE FROM ${name} WHERE toUnixTimestamp(ts) % 11 = 0`));
  expect(heldBy(await caughtUp(open("again")))).toEqual(await stored());
});

test("restarts a thread that ended and indexes rows stored meanwhile", async () => {
  const opened = open("again");
  await caughtUp(opened);
  await thread.end();
  await store.insert(fills, some(20, 35_000));
  expect(heldBy(await caughtUp(opened))).toEqual(await stored());
});

test("an index of another store answers nothing until it is compared, and one that cannot be opened is rebuilt", async () => {
  const file = join(folder, "again", layoutOf(servedFills).schema, "index.db");
  await store.insert(fills, some(10, 40_000));
  const opened = open("again");
  expect([opened.behindMs(), opened.reader()]).toEqual([undefined, undefined]);
  expect(heldBy(await caughtUp(opened))).toEqual(await stored());
  await opened.close();
  for (const each of [file, `${file}-wal`]) writeFileSync(each, "no database".repeat(1000));
  expect(heldBy(await caughtUp(open("again")))).toEqual(await stored());
});

test("builds and compares an index limited to some days from the first of them on", async () => {
  const days = { ...servedFills, maxDays: 2 };
  const opened = open("days", undefined, days);
  const reader = await caughtUp(opened);
  const [row] = await store.rows<{ newest: number }>(
    fromDefinition("SELECT toUInt32(toUnixTimestamp(max(ts))) AS newest FROM polymarket_fills"),
  );
  const floor = Number(row?.newest) - 2 * 86_400;
  expect(reader.floor()).toBe(floor);
  expect(heldBy(reader)).toEqual(await stored(floor));
  opened.changed("unknown");
  await store.insert(fills, some(20, 60_000));
  await caughtUp(opened);
  expect(heldBy(reader)).toEqual(await stored(floor));
});

test("an index is not compared while rows are still being deleted", async () => {
  const opened = open("deleted");
  await store.insert(fills, some(20, 70_000));
  await caughtUp(opened);
  const all = [fills.name, ...Object.keys(fills.copies ?? {})];
  for (const name of all) await store.alter(fromDefinition(`SYSTEM STOP MERGES ${name}`));
  try {
    // As after a deletion whose connection was lost.
    for (const name of all)
      await store.alter(
        fromDefinition(`ALTER TABLE ${name} DELETE WHERE toUnixTimestamp(ts) % 3 = 0 SETTINGS mutations_sync = 0`),
      );
    const before = failures;
    opened.changed("unknown");
    await expect.poll(() => failures).toBeGreaterThan(before);
  } finally {
    for (const name of all) await store.alter(fromDefinition(`SYSTEM START MERGES ${name}`));
  }
  expect(heldBy(await caughtUp(opened))).toEqual(await stored());
});

test("omits the oldest rows if all exceed the size limit; the floor says from when the index is complete", async () => {
  const opened = open("bounded", 500 * 500);
  const reader = await caughtUp(opened);
  const floor = reader.floor() ?? 0;
  expect(floor).toBeGreaterThan(FILL_START);
  const held = heldBy(reader);
  expect(held).toEqual(await stored(floor));
  expect(held.length).toBeGreaterThan(300);
  expect(held.length).toBeLessThanOrEqual(500);
  await store.insert(fills, some(100, 50_000));
  await caughtUp(opened);
  expect(heldBy(reader)).toEqual(await stored(floor));
});
