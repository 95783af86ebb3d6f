import { afterAll, beforeAll, expect, test } from "vitest";
import { slicesOf } from "../../src/definition/slices.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { fill, hex, table } from "../fixtures/sample-rows.ts";

/** More rows than are read for a page that is computed concurrently with others. */
const FILLS = 51_000;
const WALLET = hex(0xabc, 40);
const BATCH = 17_000;

let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;
beforeAll(async () => {
  store = await openTestStore();
  query = openTestQuery(store, () => Date.UTC(2025, 10, 20, 12));
  const rows = Array.from({ length: FILLS }, (_, index) => fill(index, { wallet: WALLET, usd: "5" }));
  for (const some of slicesOf(rows, BATCH)) await store.insert(table("polymarket_fills"), some);
});
afterAll(() => store.close());

test("answers for a wallet of many rows without an index, at any offset", async () => {
  const params = { proxy_wallet: WALLET };
  const [profile] = await query.rows(581, { params: { ...params, window_days: "all" } });
  expect(profile?.["total_trades"]).toBe(FILLS);
  const last = await query.answer(1002, { params, pagination: { limit: 10, offset: FILLS - 5 } });
  expect([last.rowCount, last.hasMore]).toEqual([5, false]);
  expect((await query.answer(1002, { params, pagination: { limit: 10, offset: FILLS } })).rowCount).toBe(0);
  const positions = await query.rows(1001, { params: { ...params, status: "ALL" } });
  expect(positions.reduce((sum, row) => sum + Number(row["trades"]), 0)).toBe(FILLS);
});

test("rejects more than a million rows, and says what to request instead", async () => {
  // A Native block with no column and 1,000,001 rows.
  const many = Buffer.from([0, 0xc1, 0x84, 0x3d]);
  const read: typeof store.read = async (...requested) =>
    requested[1]?.format === "Native" ? many : store.read(...requested);
  const refused = openTestQuery({ ...store, read }).answer(581, { params: { proxy_wallet: WALLET } });
  await expect(refused).rejects.toMatchObject({
    code: "QUERY_TIMEOUT",
    message: expect.stringMatching(/more than 1,000,000 rows .* fewer wallets/) as string,
  });
});
