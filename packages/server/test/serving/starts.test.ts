import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import { openIndex, type ServedIndex } from "../../src/serving/feed/open-index.ts";
import { openFeedThread } from "../../src/serving/feed/thread/feed-thread.ts";
import type { ServingReader } from "../../src/serving/reader.ts";
import { openStore, type OpenStore } from "../../src/store/open-store.ts";
import { servedFills } from "../../src/tables/served-fills.ts";
import { templateFolder } from "../fixtures/open-migrated-store.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { FILL_START, fill, hex, table, tokenId } from "../fixtures/sample-rows.ts";
import { heldBy, storedFills } from "./every-fill.ts";

const fills = table("polymarket_fills");
const COPIES = Object.keys(fills.copies ?? {});
const ALL_ORDERS = [fills.name, ...COPIES];
const MONTHS_SECONDS = 5_000_000;
const log = { info: () => undefined, error: () => undefined };
const maxBytes = async (): Promise<number> => 1e9;
const random = seededRandom();
const below = (count: number): number => Math.floor(random() * count);
const folder = mkdtempSync(join(tmpdir(), "almanac-starts-"));
const thread = openFeedThread();
let store: OpenStore;
let index: ServedIndex | undefined;
let next = 0;

beforeAll(async () => {
  store = await openTestStore();
  store.onChanged(({ name }, left) => name === fills.name && index?.changed(left));
});
afterEach(() => stop());
afterAll(async () => {
  await thread.end();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function stop(): Promise<void> {
  await index?.close();
  index = undefined;
}

/** Starts following; returns the first reader, and how often the days of the whole table were counted. */
async function start(at: string, of: OpenStore = store): Promise<{ reader: ServingReader; counted: number }> {
  let counted = 0;
  const rows: OpenStore["rows"] = (statement, reading) => {
    if (statement.text.includes("GROUP BY day")) counted += 1;
    return of.rows(statement, reading);
  };
  const watched = { ...of, rows };
  const opened = openIndex({ store: watched, served: servedFills, table: fills, folder: at, maxBytes, thread, log });
  index = opened;
  await expect.poll(() => opened.reader(), { interval: 5 }).toBeDefined();
  return { reader: opened.reader() as ServingReader, counted };
}

/** Checks that the first answer of a start equals the stored rows; returns how often days were counted. */
async function startsRight(at: string, of: OpenStore = store): Promise<number> {
  const { reader, counted } = await start(at, of);
  expect(heldBy(reader)).toEqual(await storedFills(of));
  return counted;
}

/** Waits until the index has all stored rows. */
async function settled(): Promise<void> {
  await expect.poll(() => index?.behindMs(), { interval: 5 }).toBe(0);
}

const some = (count: number) =>
  Array.from({ length: count }, () =>
    fill((next += 1), {
      ts: FILL_START + below(MONTHS_SECONDS),
      wallet: hex(below(9), 40),
      token_id: tokenId(below(4)),
    }),
  );

const merge = () => store.alter(fromDefinition(`OPTIMIZE TABLE ${fills.name} FINAL`));

test("counts no days at a start if the index had all rows when it closed, whatever was merged or stored since", async () => {
  const at = join(folder, "clean");
  await store.insert(fills, some(300));
  expect(await startsRight(at)).toBeGreaterThan(0);
  await settled();
  await store.insert(fills, some(100));
  await settled();
  await stop();
  expect(await startsRight(at)).toBe(0);
  await settled();
  await stop();
  await store.insert(fills, some(100));
  expect(await startsRight(at)).toBe(0);
  await settled();
  await stop();
  await store.insert(fills, some(100));
  await merge();
  await store.insert(fills, some(100));
  expect(await startsRight(at)).toBe(0);
  await settled();
});

test("counts days at every start if others may write, also for an index that was built on an empty table", async () => {
  const other = await openTestStore();
  try {
    const [at, shared] = [join(folder, "shared"), { ...other, isWriting: () => true }];
    expect(await startsRight(at, shared)).toBeGreaterThan(0);
    await settled();
    await stop();
    await other.insert(fills, some(100));
    expect(await startsRight(at, shared)).toBeGreaterThan(0);
    await settled();
    await stop();
  } finally {
    await other.close();
  }
});

test("detects rows changed while the index was closed, a dropped partition and rows with an older stamp", async () => {
  const at = join(folder, "behind");
  await startsRight(at);
  await settled();
  await stop();
  for (const name of ALL_ORDERS)
    await store.alter(fromDefinition(`DELETE FROM ${name} WHERE toUnixTimestamp(ts) % 11 = 0`));
  expect(await startsRight(at)).toBeGreaterThan(0);
  await settled();
  await stop();
  for (const name of ALL_ORDERS)
    await store.alter(fromDefinition(`DELETE FROM ${name} WHERE toUnixTimestamp(ts) % 11 = 1`));
  await store.insert(fills, some(100));
  await merge();
  expect(await startsRight(at)).toBeGreaterThan(0);
  await settled();
  await stop();
  await store.alter(fromDefinition(`ALTER TABLE ${fills.name} DROP PARTITION ID '202511'`));
  for (const name of COPIES) await store.alter(fromDefinition(`DELETE FROM ${name} WHERE toYYYYMM(ts) = 202511`));
  await store.insert(fills, some(100));
  await merge();
  expect(await startsRight(at)).toBeGreaterThan(0);
  await settled();
  await stop();
  for (const name of ALL_ORDERS)
    await store.run(
      fromDefinition(
        `INSERT INTO ${name} SELECT * REPLACE(ts + 1 AS ts, ingested_at - INTERVAL 1 DAY AS ingested_at) FROM ${name} WHERE toUnixTimestamp(ts) % 11 = 2`,
      ),
    );
  expect(await startsRight(at)).toBeGreaterThan(0);
  await settled();
});

test("detects the folder of another store even if its parts have the same names", async () => {
  const other = await openTestStore();
  try {
    const at = join(folder, "other");
    await startsRight(at);
    await settled();
    await stop();
    await other.insert(fills, some(300));
    expect(await startsRight(at, other)).toBeGreaterThan(0);
    await stop();
  } finally {
    await other.close();
  }
});

test("the first answer of a start equals the stored rows, whatever happened to the store before", async () => {
  const at = join(folder, "chance");
  const done: readonly (() => Promise<unknown>)[] = [
    () => store.insert(fills, some(1 + below(60))),
    () => store.insert(fills, some(1 + below(60))),
    merge,
    async () => {
      for (const name of ALL_ORDERS)
        await store.alter(fromDefinition(`DELETE FROM ${name} WHERE cityHash64(tx_hash) % 40 = ${below(40)}`));
    },
  ];
  for (let turn = 0; turn < thoroughly(20, 3); turn += 1) {
    await startsRight(at);
    for (let more = below(3); more > 0; more -= 1) await store.insert(fills, some(1 + below(40)));
    if (random() < 0.5) await settled();
    await stop();
    for (let step = below(4); step > 0; step -= 1) await done[below(done.length)]?.();
  }
});

test("the first answer after kill -9 in the middle of batches equals the stored rows", async () => {
  const own = mkdtempSync(join(tmpdir(), "almanac-starts-killed-"));
  try {
    await templateFolder();
    let first = 0;
    for (let kill = 0; kill < thoroughly(6, 1); kill += 1) {
      const child = spawn(process.execPath, [join(import.meta.dirname, "following-child.ts"), own, String(first)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      const begun = first;
      child.stdout.on("data", (bytes: Buffer) => (first = Number(bytes.toString().trim().split("\n").at(-1)) + 2));
      await expect.poll(() => first, { interval: 5, timeout: 240_000 }).toBeGreaterThan(begun + 6 + below(12));
      child.kill("SIGKILL");
      await ended;
      const opened = await openStore({ folder: own });
      await startsRight(join(own, "serving"), opened);
      await stop();
      await opened.close();
    }
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
});
