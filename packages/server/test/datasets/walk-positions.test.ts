import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { fill, hex, table, tokenId } from "../fixtures/sample-rows.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const WALLET = hex(1, 40);
/** With a mark of 0.515 their values have more than six decimals: 6.358024685 is given as 6.358024. */
const SHARES = ["12.345679", "12.345677", "12.345675", "0.000001", "0.000003"];

let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;
beforeAll(async () => {
  store = await openTestStore();
  query = openTestQuery(store, () => NOW);
  const priced = { trade_close: "0.515", mid_close: null, mark: "0.515", volume_usd: "0", trade_count: 0 };
  await store.insert(
    table("token_days"),
    SHARES.map((_, index) => ({ ...priced, token_id: tokenId(index), day: "2026-11-19" })),
  );
  await store.insert(
    table("polymarket_fills"),
    SHARES.map((shares, index) => fill(index, { wallet: WALLET, token_id: tokenId(index), side: "BUY", shares })),
  );
});
afterAll(() => store.close());

test.each([1, 2, 3])("paging positions by cursor with limit %i returns each position once", async (limit) => {
  const walked: unknown[] = [];
  let cursor: string | null = null;
  for (let page = 0; page <= SHARES.length && (page === 0 || cursor !== null); page += 1) {
    const answer = await query.answer(1001, {
      params: { proxy_wallet: WALLET },
      pagination: { limit, ...(cursor === null ? {} : { cursor }) },
    });
    walked.push(...(JSON.parse(answer.body.toString("utf8")) as unknown[]));
    cursor = answer.nextCursor;
  }
  expect(cursor).toBeNull();
  expect(walked).toHaveLength(SHARES.length);
  expect(walked).toEqual(await query.rows(1001, { params: { proxy_wallet: WALLET } }));
});
