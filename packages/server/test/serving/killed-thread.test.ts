import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { openIndex, type ServedIndex } from "../../src/serving/feed/open-index.ts";
import { openFeedThread } from "../../src/serving/feed/thread/feed-thread.ts";
import type { ServingReader } from "../../src/serving/reader.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { servedFills } from "../../src/tables/served-fills.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { FILL_START, fill, hex, table } from "../fixtures/sample-rows.ts";
import { heldBy, storedFills } from "./every-fill.ts";

const fills = table("polymarket_fills");
const folder = mkdtempSync(join(tmpdir(), "almanac-killed-"));
const thread = openFeedThread();
const log = { info: () => undefined, error: () => undefined };
const DAY_SECONDS = 86_400;
/** A normal run kills at every fifth request of the thread, starting with a different one before and after. */
const EVERY = thoroughly(1, 5);
let store: OpenStore;
let index: ServedIndex;
let next = 0;

beforeAll(async () => {
  store = await openTestStore();
  store.onChanged(({ name }, left) => name === fills.name && index?.changed(left));
  await store.insert(fills, some(300));
});
afterAll(async () => {
  await thread.end();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Fills of three days. */
const some = (count: number) =>
  Array.from({ length: count }, () =>
    fill((next += 1), { ts: FILL_START + ((next * 7919) % (3 * DAY_SECONDS)), wallet: hex(next % 5, 40) }),
  );

/** Kills the thread at its nth request to the store, or right after the answer. */
function killing(nth: number, when: "before" | "after") {
  const state = { requested: 0, isKilled: false };
  const kill = async (): Promise<void> => {
    state.isKilled = true;
    await thread.end();
  };
  const asking = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    const isLast = (state.requested += 1) === nth;
    if (isLast && when === "before") await kill();
    const answer = await ask();
    if (isLast && when === "after") setImmediate(() => void kill());
    return answer;
  };
  const over: OpenStore = {
    ...store,
    read: (...given) => asking(() => store.read(...given)),
    rows: (statement) => asking(() => store.rows(statement)),
  };
  return { state, over };
}

/** Builds an index, follows stored, late and replaced rows, closes and reopens it; the thread is killed once. */
async function live({ state, over }: ReturnType<typeof killing>, own: string): Promise<void> {
  const open = (): void => {
    index = openIndex({
      store: over,
      served: servedFills,
      table: fills,
      folder: own,
      maxBytes: async () => 1e9,
      thread,
      log,
    });
  };
  let isAnswered = false;
  /** Waits until the index is complete; after a kill it is reopened, as by the next process. */
  const whole = async (): Promise<void> => {
    await expect.poll(() => index.behindMs() === 0 || (state.isKilled && !isAnswered), { interval: 2 }).toBe(true);
    if (!state.isKilled || isAnswered) return;
    isAnswered = true;
    await index.close();
    open();
    await whole();
  };
  open();
  await whole();
  const [stand, ...rows] = some(40);
  const early = { ...stand, source: "data_api_v2", block_number: 0 } as typeof stand;
  await store.insert(fills, [...rows, early as (typeof rows)[number]]);
  await whole();
  // The row of the chain replaces the provisional one.
  await store.insert(fills, [{ ...early, order_hash: hex(800_000 + next), source: "chain_v2", block_number: 5 }]);
  await whole();
  await index.close();
  await store.insert(fills, some(20));
  open();
  await whole();
}

test.each(["before", "after"] as const)(
  "an index has every row, whichever store request its thread is killed at: %s the answer",
  async (when) => {
    let nth = when === "before" ? 1 : 2;
    for (; ; nth += EVERY) {
      const round = killing(nth, when);
      const own = join(folder, `${when}-${nth}`);
      await live(round, own);
      expect(heldBy(index.reader() as ServingReader), `killed at ${nth}`).toEqual(await storedFills(store));
      await index.close();
      if (!round.state.isKilled) break;
    }
    expect(nth).toBeGreaterThan(12);
  },
);
