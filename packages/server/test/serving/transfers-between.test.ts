import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenStore } from "../../src/store/open-store.ts";
import { openServedQuery } from "../fixtures/open-served-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { FILL_START, hex, table, tokenId } from "../fixtures/sample-rows.ts";

const [ONE, OTHER] = [hex(1, 40), hex(2, 40)];

let store: OpenStore;
beforeAll(async () => {
  store = await openTestStore();
  const pairs = [
    [ONE, OTHER],
    [OTHER, ONE],
    [ONE, ONE],
    [ONE, hex(3, 40)],
  ];
  await store.insert(
    table("polymarket_transfers"),
    pairs.map(([from_wallet, to_wallet], index) => ({
      ts: FILL_START + index,
      tx_hash: hex(index + 1),
      log_index: 1,
      place: 0,
      block_number: 7,
      operator: ONE,
      from_wallet,
      to_wallet,
      token_id: tokenId(1),
      shares: "1",
    })),
  );
});
afterAll(() => store.close());

test("returns a transfer between requested wallets, or from a wallet to itself, once", async () => {
  const query = await openServedQuery(store, Date.now);
  for (const [proxy_wallet, count] of [
    [ONE, 4],
    [`${ONE},${OTHER}`, 4],
    [OTHER, 2],
  ] as const) {
    const rows = await query.rows(1106, { params: { proxy_wallet } });
    expect(new Set(rows.map((row) => row["transaction_hash"])).size, proxy_wallet).toBe(count);
    expect(rows, proxy_wallet).toHaveLength(count);
  }
  expect(query.counts).toEqual({ index: 3, engine: 0 });
  await query.close();
});
