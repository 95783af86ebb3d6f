import { expect, test } from "vitest";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { market, table } from "../fixtures/sample-rows.ts";

test("the ETag of a page changes when it is no longer the last, though its rows stay the same", async () => {
  const store = await openTestStore();
  const insert = (index: number, volume_total: string): Promise<unknown> =>
    store.insert(table("polymarket_markets"), [market(index, { volume_total })]);
  const { answer } = openTestQuery(store);
  const page = () => answer(574, { pagination: { limit: 2 } });
  await insert(1, "30");
  await insert(2, "20");
  const last = await page();
  await insert(3, "10");
  const first = await page();
  expect(first.body).toEqual(last.body);
  expect([last.hasMore, first.hasMore]).toEqual([false, true]);
  expect(first.etag).not.toBe(last.etag);
  expect((await page()).etag).toBe(first.etag);
  await store.close();
});
