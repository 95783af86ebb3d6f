import { afterAll, beforeAll, expect, test } from "vitest";
import { bind, fromDefinition, sql } from "../../src/definition/sql.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { walletPairDaysFromFills } from "../../src/derivations/patterns/wallet-pair-days.ts";
import { walletTradeDaysFromFills } from "../../src/derivations/patterns/wallet-trade-days.ts";
import { deriveDays } from "../../src/ingest/day/derive-days.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { fill, hex, table, tokenId } from "../fixtures/sample-rows.ts";
import { tokensOf, walletOf } from "./trades.ts";
import { withoutWaits } from "../ingest/clocks.ts";

/** Millionths beyond 2^53, which a double would round. */
const HUGE = "9007199254.740993";

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
  await store.insert(table("polymarket_tokens"), tokensOf(3));
  await store.run(fromDefinition("SYSTEM RELOAD DICTIONARY polymarket_token_info"));
  await store.insert(polymarketFills, [
    // Wallet 1 quotes both sides of market 0 (a quarter, exactly), and one of market 1.
    leg(0, { wallet: walletOf(1), role: "maker", side: "BUY", shares: "4", usd: "2" }),
    leg(1, { wallet: walletOf(1), role: "maker", side: "SELL", shares: "1", usd: "0.5" }),
    leg(2, { wallet: walletOf(1), role: "maker", side: "BUY", token_id: tokenId(2), shares: "5", usd: "4.75" }),
    leg(3, { wallet: walletOf(1), role: "maker", side: "SELL", token_id: tokenId(3), shares: "1.249999", usd: "1" }),
    leg(4, { wallet: walletOf(1), role: "taker", side: "BUY", token_id: tokenId(9), shares: "5", usd: "4.749999" }),
    // Wallets 2 and 3 enter alike, with amounts beyond the precision of a double.
    leg(10, { wallet: walletOf(2), ts: "2026-06-01T12:00:00Z", shares: HUGE, usd: HUGE }),
    leg(11, { wallet: walletOf(3), ts: "2026-06-01T12:00:12Z", shares: HUGE, usd: HUGE }),
    leg(12, { wallet: walletOf(2), ts: "2026-06-01T12:00:24Z", shares: HUGE, usd: HUGE }),
    // Another size, too late, and the other side.
    leg(13, { wallet: walletOf(4), ts: "2026-06-01T12:00:25Z", shares: "7", usd: "6" }),
    leg(14, { wallet: walletOf(5), ts: "2026-06-01T12:00:37Z", shares: HUGE, usd: HUGE }),
    leg(15, { wallet: walletOf(6), ts: "2026-06-01T12:00:24Z", side: "SELL", shares: HUGE, usd: HUGE }),
    // A fifth more shares, exactly, and a millionth more than that.
    leg(16, { wallet: walletOf(7), ts: "2026-06-01T12:00:00Z", token_id: tokenId(4), shares: "3", usd: "1" }),
    leg(17, { wallet: walletOf(8), ts: "2026-06-01T12:00:05Z", token_id: tokenId(4), shares: "3.6", usd: "1.2" }),
    leg(18, { wallet: walletOf(9), ts: "2026-06-01T12:00:06Z", token_id: tokenId(4), shares: "4.320001", usd: "1" }),
  ]);
  for (const derivation of [walletTradeDaysFromFills, walletPairDaysFromFills])
    await deriveDays(derivation, undefined, {
      store,
      clock: withoutWaits(Date.now),
      venueNow: () => Date.parse("2026-07-01"),
      signal: new AbortController().signal,
    });
});
afterAll(() => store.close());

const leg = (index: number, change: InsertRow): InsertRow =>
  fill(0, {
    ts: "2026-06-01T08:00:00Z",
    tx_hash: hex(100 + index),
    order_hash: hex(100 + index),
    token_id: tokenId(0),
    role: "taker",
    side: "BUY",
    match_kind: "complementary",
    log_index: index,
    ...change,
  });

const tradeDays = (): Promise<Record<string, unknown>[]> =>
  store.rows(
    sql`SELECT toUInt32(reinterpretAsUInt8(substring(wallet, 20, 1))) AS wallet, fills, toString(usd) AS usd, maker_fills, toString(maker_usd) AS maker_usd, entries, toString(bought_shares) AS bought_shares, toString(bought_usd) AS bought_usd, toString(sure_usd) AS sure_usd, markets, quoted_markets, two_sided_markets, set_events FROM wallet_trade_days FINAL WHERE wallet IN (SELECT toFixedString(unhex(substring(arrayJoin(${bind("Array(String)", [1, 2].map(walletOf))}), 3)), 20)) ORDER BY wallet`,
  );

test("computes how wallets traded on a day, exact to the millionth", async () => {
  expect(await tradeDays()).toEqual([
    {
      wallet: 1,
      fills: 5,
      usd: "12.999999",
      maker_fills: 4,
      maker_usd: "8.25",
      entries: 1,
      bought_shares: "14",
      bought_usd: "11.499999",
      sure_usd: "4.75",
      markets: 3,
      quoted_markets: 2,
      two_sided_markets: 1,
      set_events: 0,
    },
    {
      wallet: 2,
      fills: 2,
      usd: "18014398509.481986",
      maker_fills: 0,
      maker_usd: "0",
      entries: 2,
      bought_shares: "18014398509.481986",
      bought_usd: "18014398509.481986",
      sure_usd: "18014398509.481986",
      markets: 1,
      quoted_markets: 0,
      two_sided_markets: 0,
      set_events: 0,
    },
  ]);
});

test("counts similar entries within twelve seconds, with the number expected by chance", async () => {
  const echoes = await store.rows(
    sql`SELECT toUInt32(reinterpretAsUInt8(substring(wallet_a, 20, 1))) AS a, toUInt32(reinterpretAsUInt8(substring(wallet_b, 20, 1))) AS b, n, up, toString(usd) AS usd, expected FROM wallet_pair_days FINAL WHERE kind = 'echo' ORDER BY a, b`,
  );
  // Two entries of wallet 2 and one of wallet 3, while the side was traded for 37 s: 2 x 1 x 24 s / (37 s + 24 s).
  // One entry each of wallets 7 and 8, within 6 s.
  expect(echoes).toEqual([
    { a: 2, b: 3, n: 2, up: 2, usd: "18014398509.481986", expected: 48 / 61 },
    { a: 7, b: 8, n: 1, up: 1, usd: "1", expected: 24 / 30 },
  ]);
});
