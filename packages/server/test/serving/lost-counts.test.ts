import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openIndex, type ServedIndex } from "../../src/serving/feed/open-index.ts";
import { openFeedThread, type FeedThread } from "../../src/serving/feed/thread/feed-thread.ts";
import { KeyVersions, ReadSet } from "../../src/serving/key-versions.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { servedFills } from "../../src/tables/served-fills.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { fill, hex, table } from "../fixtures/sample-rows.ts";

const WALLET = hex(1, 40);
const fills = table("polymarket_fills");
const folder = mkdtempSync(join(tmpdir(), "almanac-lost-counts-"));
const log = { info: () => undefined, error: () => undefined };
const thread = openFeedThread();
let store: OpenStore;
let index: ServedIndex;

beforeAll(async () => {
  store = await openTestStore();
  await store.insert(fills, [fill(1, { wallet: WALLET })]);
});
afterAll(async () => {
  await index.close();
  await thread.end();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A thread that writes what it is given and ends before it counts the changes, if `isEnding`. */
const uncounted = (isEnding: () => boolean): FeedThread => ({
  ...thread,
  writer: (fed, ...given) => {
    const writer = thread.writer(fed, ...given);
    const apply: typeof writer.apply = async (...changes) => {
      if (!isEnding() || fed.kind !== "rows") return writer.apply(...changes);
      await writer.close();
      await thread.writer({ ...fed, versions: new KeyVersions().memory }, ...given).apply(...changes);
      await thread.end();
      throw new Error("the thread of the serving indexes ended");
    };
    return { ...writer, apply };
  },
});

const caughtUp = () => expect.poll(() => index.behindMs(), { interval: 10 }).toBe(0);

/** Number of the wallet's rows, and what was read for it. */
function read(): { readonly rows: number; readonly readSet: ReadSet } {
  const [reader, readSet] = [index.reader(), new ReadSet()];
  const by = { column: "wallet", values: [WALLET] };
  const page = reader?.read(() => reader.page({ by, limit: 10, budget: 10 }), readSet);
  return { rows: page?.rows.length ?? 0, readSet };
}

test("a page is read again after a thread that wrote its rows ended before it counted them", async () => {
  let isEnding = false;
  const ending = (): boolean => {
    const is = isEnding;
    isEnding = false;
    return is;
  };
  index = openIndex({
    store,
    served: servedFills,
    table: fills,
    folder,
    log,
    maxBytes: async () => 1e9,
    thread: uncounted(ending),
  });
  store.onChanged(({ name }, left) => name === fills.name && index.changed(left));
  await caughtUp();
  const before = read();
  expect([before.rows, before.readSet.isCurrent()]).toEqual([1, true]);
  isEnding = true;
  await store.insert(fills, [fill(2, { wallet: WALLET })]);
  await caughtUp();
  expect(isEnding).toBe(false);
  expect(before.readSet.isCurrent()).toBe(false);
  const after = read();
  expect([after.rows, after.readSet.isCurrent()]).toEqual([2, true]);
});
