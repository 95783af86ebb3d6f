import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenStore } from "../../src/store/open-store.ts";
import { openServedQuery } from "../fixtures/open-served-query.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { FILL_START, fill, hex, table } from "../fixtures/sample-rows.ts";

const WALLET = hex(1, 40);
const HOUR_MS = 3_600_000;
const fillAt = (index: number) => fill(index, { wallet: WALLET, ts: FILL_START + index });

let store: OpenStore;
beforeAll(async () => {
  store = await openTestStore();
  await store.insert(table("polymarket_fills"), [1, 3, 5].map(fillAt));
});
afterAll(() => store.close());

/** The clock was an hour ahead when the rows were stored, and was corrected since. */
const corrected = (): number => Date.now() - HOUR_MS;

type Query = Pick<ReturnType<typeof openTestQuery>, "answer">;

/** The number of rows on each page of a walk; `between` is called after the first one. */
async function walk({ answer }: Query, between: () => Promise<unknown> = async () => undefined): Promise<number[]> {
  const counts: number[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await answer(556, {
      params: { proxy_wallet: WALLET },
      pagination: { limit: 1, ...(cursor ? { cursor } : {}) },
    });
    counts.push(page.rowCount);
    if (cursor === undefined) await between();
    cursor = page.nextCursor;
  }
  return counts;
}

test("a walk on the engine has the rows that were stored before it with later stamps than its clock, and none stored since", async () => {
  const query = openTestQuery(store, corrected);
  expect(await walk(query)).toEqual([1, 1, 1]);
  expect(await walk(query, () => store.insert(table("polymarket_fills"), [fillAt(2)]))).toEqual([1, 1, 1]);
});

test("so has one in a process that stored none of the rows: on the engine", async () => {
  const counts = await walk(openTestQuery({ ...store, newestStamp: () => 0 }, corrected));
  expect(counts).toEqual([1, 1, 1, 1]);
});

test("and on an index", async () => {
  const query = await openServedQuery({ ...store, newestStamp: () => 0 }, corrected);
  const counts = await walk(query);
  expect([counts, query.counts.engine]).toEqual([[1, 1, 1, 1], 0]);
  await query.close();
});
