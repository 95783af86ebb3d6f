import { afterAll, beforeAll, expect, test } from "vitest";
import { bind, fromDefinition, sql } from "../../src/definition/sql.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { walletPairDaysFromFills } from "../../src/derivations/patterns/wallet-pair-days.ts";
import { deriveDays } from "../../src/ingest/day/derive-days.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { fill, hex, table, tokenId } from "../fixtures/sample-rows.ts";
import { tokensOf, walletOf } from "./trades.ts";
import { withoutWaits } from "../ingest/clocks.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
  await store.insert(table("polymarket_tokens"), tokensOf(2));
  await store.run(fromDefinition("SYSTEM RELOAD DICTIONARY polymarket_token_info"));
});
afterAll(() => store.close());

let order = 0;
const leg = (day: string, wallet: number, role: "maker" | "taker", change: InsertRow = {}): InsertRow =>
  fill(0, {
    ts: `${day}T12:00:00Z`,
    tx_hash: hex(1),
    order_hash: hex((order += 1)),
    wallet: walletOf(wallet),
    role,
    side: role === "maker" ? "SELL" : "BUY",
    token_id: tokenId(0),
    shares: "20",
    usd: "10",
    ...change,
  });

/** Pairs of wallets of a day, smaller first, with how often and for how much they matched. */
async function pairsOf(day: string, legs: readonly InsertRow[]): Promise<unknown[][]> {
  await store.insert(polymarketFills, legs);
  await deriveDays(walletPairDaysFromFills, undefined, {
    store,
    clock: withoutWaits(Date.now),
    venueNow: () => Date.parse("2026-07-01"),
    signal: new AbortController().signal,
  });
  const rows = await store.rows<Record<string, unknown>>(
    sql`SELECT toUInt32(reinterpretAsUInt8(substring(wallet_a, 20, 1))) AS a, toUInt32(reinterpretAsUInt8(substring(wallet_b, 20, 1))) AS b, n, up, toFloat64(usd) AS usd FROM wallet_pair_days FINAL WHERE day = ${bind("Date", day)} AND kind = 'match' AND NOT is_gone ORDER BY a, b`,
  );
  return rows.map((row) => Object.values(row));
}

test("pairs a taker with each maker of its match", async () => {
  const day = "2026-06-01";
  expect(
    await pairsOf(day, [
      leg(day, 2, "maker", { log_index: 1 }),
      leg(day, 3, "maker", { log_index: 2 }),
      leg(day, 4, "taker", { log_index: 3, shares: "40", usd: "20" }),
    ]),
  ).toEqual([
    [2, 4, 1, 0, 10],
    [3, 4, 1, 0, 10],
  ]);
});

test("pairs a maker with the next taker in the log if a transaction has several matches", async () => {
  const day = "2026-06-02";
  expect(
    await pairsOf(day, [
      leg(day, 2, "maker", { log_index: 11 }),
      leg(day, 3, "taker", { log_index: 13 }),
      leg(day, 4, "maker", { log_index: 15 }),
      leg(day, 5, "maker", { log_index: 16 }),
      leg(day, 6, "taker", { log_index: 17, shares: "40", usd: "20" }),
      leg(day, 7, "maker", { log_index: 19 }),
      leg(day, 8, "taker", { log_index: 21 }),
    ]),
  ).toEqual([
    [2, 3, 1, 0, 10],
    [4, 6, 1, 0, 10],
    [5, 6, 1, 0, 10],
    [7, 8, 1, 0, 10],
  ]);
});

test("pairs makers with the transaction's taker in rows of the Data API, which have no log order", async () => {
  const day = "2026-06-03";
  const reported = { block_number: 0, source: "data_api_v2" };
  expect(
    await pairsOf(day, [
      leg(day, 2, "taker", { ...reported, log_index: 0, shares: "40", usd: "20" }),
      leg(day, 3, "maker", { ...reported, log_index: 1 }),
      leg(day, 4, "maker", { ...reported, log_index: 2 }),
    ]),
  ).toEqual([
    [2, 3, 1, 1, 10],
    [2, 4, 1, 1, 10],
  ]);
});

test("counts a match that minted or merged with what the taker paid or received, as volumes do", async () => {
  const day = "2026-06-04";
  const large = { shares: "1000", usd: "950", token_id: tokenId(1) };
  const small = { shares: "1000", usd: "50", token_id: tokenId(0) };
  expect(
    await pairsOf(day, [
      leg(day, 2, "maker", { ...large, side: "BUY", match_kind: "mint", log_index: 1 }),
      leg(day, 3, "taker", { ...small, side: "BUY", match_kind: "mint", log_index: 2 }),
      leg(day, 4, "maker", { ...large, side: "SELL", match_kind: "merge", log_index: 3 }),
      leg(day, 5, "taker", { ...small, side: "SELL", match_kind: "merge", log_index: 4 }),
    ]),
  ).toEqual([
    [2, 3, 1, 0, 50],
    [4, 5, 1, 1, 50],
  ]);
});

test("pairs wallets of which one matched exactly a tenth of its notional with the other", async () => {
  const day = "2026-06-20";
  expect(
    await pairsOf(day, [
      leg(day, 2, "maker", { log_index: 1, shares: "0.6", usd: "0.3" }),
      leg(day, 3, "maker", { log_index: 2, shares: "5.4", usd: "2.7" }),
      leg(day, 4, "taker", { log_index: 3, shares: "6", usd: "3" }),
    ]),
  ).toEqual([
    [2, 4, 1, 0, 0.3],
    [3, 4, 1, 0, 2.7],
  ]);
});
