import { afterAll, beforeAll, expect, test } from "vitest";
import { readCursor } from "../../src/query/cursor.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { openServedQuery } from "../fixtures/open-served-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { FILL_START, fill, hex, table } from "../fixtures/sample-rows.ts";

const WALLET = hex(1, 40);

let store: OpenStore;
beforeAll(async () => {
  store = await openTestStore();
  await store.insert(
    table("polymarket_fills"),
    [1, 2, 3].map((index) => fill(index, { wallet: WALLET, ts: FILL_START + index })),
  );
});
afterAll(() => store.close());

test("a walk that begins on an index that is behind uses the snapshot of the index, not the current time", async () => {
  const now = Date.now();
  const behind = (now - 60_000) * 1000;
  const query = await openServedQuery(store, () => now, { servedUntil: () => behind });
  const page = await query.answer(556, { params: { proxy_wallet: WALLET }, pagination: { limit: 1 } });
  expect(query.counts.index).toBe(1);
  expect(readCursor(Buffer.from("test"), page.nextCursor ?? "")?.snapshot).toBe(String(behind));
  await query.close();
});
