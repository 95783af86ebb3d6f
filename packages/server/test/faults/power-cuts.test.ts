import { mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Random } from "../../../../scripts/campaign/random.ts";
import { type PowerCut, PowerCuts, readFiles, tearFiles } from "../../../../scripts/simulate/power-cuts.ts";
import { isDamaged } from "../../src/ordered/ordered-store.ts";
import { openIndex, type ServedIndex } from "../../src/serving/feed/open-index.ts";
import { openFeedThread } from "../../src/serving/feed/thread/feed-thread.ts";
import { readMark } from "../../src/serving/feed/known-parts.ts";
import { ServingReader } from "../../src/serving/reader.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { servedFills } from "../../src/tables/served-fills.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { FILL_START, fill, hex, table } from "../fixtures/sample-rows.ts";
import { heldBy, storedFills } from "../serving/every-fill.ts";

const fills = table("polymarket_fills");
const thread = openFeedThread();
const BATCHES = 3;
const WAYS = ["lost_tail", "torn_page", "reordered_writes"] as const;
const log = { info: () => undefined, error: () => undefined };
let store: OpenStore;
let index: ServedIndex | undefined;
let serving: string;
let next = 0;
let damaged = 0;

beforeAll(async () => {
  store = await openTestStore();
  store.onChanged(({ name }, left) => name === fills.name && index?.changed(left));
  await store.insert(fills, some(1000));
});
beforeEach(() => {
  serving = mkdtempSync(join(tmpdir(), "almanac-power-"));
  damaged = 0;
});
afterEach(async () => {
  await index?.close();
  rmSync(serving, { recursive: true, force: true });
});
afterAll(async () => {
  await thread.end();
  await store.close();
});

const some = (count: number) =>
  Array.from({ length: count }, () => fill((next += 1), { ts: FILL_START + next * 60, wallet: hex(next % 9, 40) }));
const folder = (): string => join(serving, fills.name);
const isWhole = () => expect.poll(() => [index?.reader() !== undefined, index?.behindMs()]).toEqual([true, 0]);
const held = (): string[] => heldBy(index?.reader() as ServingReader);

const onDamage = (): void => void (damaged += 1);

async function begin(): Promise<void> {
  index = openIndex({
    store,
    served: servedFills,
    table: fills,
    folder: folder(),
    maxBytes: async () => 1e9,
    thread,
    log,
    onDamage,
  });
  await isWhole();
}

/** Simulates a kill: what was written is in the log, and no process has a file open. */
async function kill(): Promise<void> {
  await thread.end();
  await index?.close();
  index = undefined;
}

/** Runs a process lifetime that builds an index and follows the store. Returns the index's final mark. */
async function live(): Promise<number> {
  await begin();
  for (let batch = 0; batch < BATCHES; batch += 1) {
    await store.insert(fills, some(20));
    await isWhole();
  }
  const mark = index?.mark() ?? 0;
  await kill();
  return mark;
}

/** Reads the mark in the file itself, before the index catches up with the store. */
function markInFile(): number {
  const reader = ServingReader.open(folder(), servedFills);
  try {
    return readMark(reader?.mark());
  } finally {
    reader?.close();
  }
}

/** Tears files as a seed's plan does, with the first draw that hits a file of this name. */
function tear(before: ReturnType<typeof readFiles>, cut: PowerCut, name: string): void {
  for (let seed = 1; seed < 50; seed += 1)
    if (tearFiles(serving, before, cut, new Random(seed)).some((file) => file.endsWith(name))) return;
  throw new Error(`no draw of ${cut.way} hits ${name}`);
}

test.each(WAYS)(
  "a log with a %s keeps the transactions before it, and the index catches up with the rest",
  async (way) => {
    const mark = await live();
    expect(markInFile()).toBe(mark);
    tear(new Map(), { life: 1, way, maxPages: 4, isLying: false }, "-wal");
    expect(markInFile()).toBeGreaterThan(0);
    expect(markInFile()).toBeLessThan(mark);
    await begin();
    expect(held()).toEqual(await storedFills(store));
    expect(damaged).toBe(0);
  },
);

test.each(WAYS)("detects, counts and rebuilds a file that a lying disk left with a %s", async (way) => {
  await live();
  tear(new Map(), { life: 1, way, maxPages: 64, isLying: true }, "index.db");
  await begin();
  try {
    held();
  } catch (cause) {
    expect(isDamaged(cause), String(cause)).toBe(true);
    index?.failed(cause);
  }
  await isWhole();
  expect(held()).toEqual(await storedFills(store));
  expect(damaged).toBe(1);
});

test("counts a file with no content left as damaged", async () => {
  await live();
  for (const [name] of readFiles(serving)) truncateSync(join(serving, name), 0);
  await begin();
  expect(held()).toEqual(await storedFills(store));
  expect(damaged).toBe(1);
});

test("tears nothing written before a process lifetime began, and only in lifetimes that the plan names", async () => {
  await live();
  const before = readFiles(serving);
  const cut: PowerCut = { life: 2, way: "lost_tail", maxPages: 64, isLying: true };
  const power = new PowerCuts([cut], new Random(1), serving);
  power.begin();
  await live();
  const after = readFiles(serving);
  expect(power.end(1)).toEqual([]);
  expect(readFiles(serving)).toEqual(after);
  const torn = power.end(2);
  expect(power.counts()).toEqual({
    injected: { lost_tail: torn.length },
    strikes: { lost_tail: { planned: 1, struck: 1 } },
  });
  for (const [name, old] of before)
    expect(readFileSync(join(serving, name)).subarray(0, old.length).equals(old), name).toBe(true);
});
