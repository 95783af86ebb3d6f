import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { InsertRow } from "../../src/definition/table.ts";
import { marketSnapshotsRefresh } from "../../src/derivations/market/refresh-markets.ts";
import { runRefresh } from "../../src/ingest/refresh/run-refresh.ts";
import { deriveAll, openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { hex, market, table, tokenId } from "../fixtures/sample-rows.ts";
import { held } from "./held.ts";

const NOW = Date.UTC(2026, 10, 20, 12, 30);
const HOUR = 3_600_000;
const [YES, NO] = [tokenId(0), tokenId(1)];
const OPEN = hex(1);
const RESOLVED = hex(2);

let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;
let fills = 0;

/** A match: the taker's fill and the maker's, of one price. */
const match = (
  hoursAgo: number,
  { token = YES, price = 0.5, shares = 10, taker = 1, maker = 2, kind = "complementary" } = {},
): InsertRow[] => {
  fills += 2;
  const isMint = kind === "mint";
  const shared = {
    ts: (NOW - hoursAgo * HOUR) / 1000,
    tx_hash: hex(1000 + fills),
    match_kind: kind,
    source: "chain_v2",
  };
  const leg = (change: InsertRow): InsertRow => ({ ...shared, shares: String(shares), fee_usd: "0", ...change });
  const [other, otherPrice] = isMint ? [token === YES ? NO : YES, 1 - price] : [token, price];
  return [
    leg({
      order_hash: hex(fills),
      wallet: hex(taker, 40),
      token_id: token,
      side: "BUY",
      role: "taker",
      usd: (price * shares).toFixed(6),
      block_number: fills,
      log_index: 2,
    }),
    leg({
      order_hash: hex(fills + 1),
      wallet: hex(maker, 40),
      token_id: other,
      side: isMint ? "BUY" : "SELL",
      role: "maker",
      usd: (otherPrice * shares).toFixed(6),
      block_number: fills,
      log_index: 1,
    }),
  ];
};

const book = (hoursAgo: number, seq: number, kind: string, bids: string[][], asks: string[][]): InsertRow => ({
  instrument: YES,
  ts: new Date(NOW - hoursAgo * HOUR).toISOString(),
  seq,
  kind,
  venue: "polymarket",
  bids,
  asks,
  best_bid: null,
  best_ask: null,
  hash: "",
});

async function fillStore(): Promise<void> {
  await store.insert(table("polymarket_markets"), [
    market(0, {
      condition_id: OPEN,
      closed: false,
      start_date: new Date(NOW - 12 * HOUR).toISOString(),
      liquidity: "50",
    }),
    market(1, {
      condition_id: RESOLVED,
      closed: true,
      closed_date: new Date(NOW - 2 * HOUR).toISOString(),
      payout_a: "1",
      liquidity: "0",
    }),
    ...[2, 3, 4, 5].map((index) =>
      market(index, { condition_id: hex(index + 1), closed: false, liquidity: String(index * 10) }),
    ),
  ]);
  await store.insert(table("polymarket_fills"), [
    ...match(0.1, { price: 0.5 }),
    ...match(0.2, { price: 0.5, taker: 3, kind: "mint" }),
    ...match(23.4, { price: 0.4 }),
    ...match(23.6, { price: 0.6, shares: 100 }),
    ...match(50, { price: 0.2, token: NO, taker: 4 }),
    ...match(167.4, { price: 0.3, taker: 5 }),
    ...match(168.6, { price: 0.9, taker: 6, shares: 1000 }),
    ...match(3, { price: 0.8, token: tokenId(2) }),
    ...match(4, { price: 0.6, token: tokenId(2) }),
    ...match(1, { price: 0.1, token: tokenId(2) }),
  ]);
  await deriveAll(store);
  await store.insert(
    table("token_days"),
    [YES, NO].map((token_id, at) => ({
      token_id,
      day: "2026-11-20",
      trade_close: null,
      mid_close: null,
      mark: at === 0 ? "0.6" : "0.4",
      volume_usd: "0",
      trade_count: 0,
    })),
  );
  await store.insert(table("wallet_token_days"), [
    held(1, YES, "60", "30", { realized_usd: "5", fee_usd: "1" }),
    held(1, YES, "90", "45", { day: "2026-11-18" }),
    held(2, NO, "30", "15"),
    held(3, YES, "0", "0", { realized_usd: "-10" }),
    held(4, NO, "10", "1", { is_gone: true }),
    held(5, YES, "10", "8"),
    held(6, tokenId(2), "40", "40", { realized_usd: "30", payout: "1", condition_id: RESOLVED }),
  ]);
  const day = "2026-11-20";
  await store.append(
    table("wallet_patterns"),
    [2, 3].map((wallet) => ({
      day,
      wallet: hex(wallet, 40),
      pattern: "wash",
      score: 60,
      cluster: hex(2, 40),
      cluster_size: 2,
      n: 9,
      share: 1,
      base_rate: 0,
      parts: "{}",
      is_gone: false,
      version: "1",
    })),
  );
  const pair = { kind: "match", n: 1, up: 0, expected: 0, is_gone: false, version: "1", condition_id: OPEN };
  await store.append(table("wallet_pair_days"), [
    { ...pair, day, wallet_a: hex(2, 40), wallet_b: hex(3, 40), usd: "15" },
    { ...pair, day, wallet_a: hex(2, 40), wallet_b: hex(5, 40), usd: "30" },
    { ...pair, day: "2026-11-13", wallet_a: hex(2, 40), wallet_b: hex(3, 40), usd: "1" },
  ]);
  await store.insert(table("book_events"), [
    book(30, 0, "snapshot", [["0.01", "1"]], [["0.99", "1"]]),
    book(
      2,
      0,
      "snapshot",
      [
        ["0.57", "100"],
        ["0.58", "100"],
      ],
      [
        ["0.64", "5000"],
        ["0.62", "500"],
      ],
    ),
    book(
      1,
      0,
      "change",
      [
        ["0.58", "0"],
        ["0.59", "200"],
      ],
      [],
    ),
    book(1, 1, "change", [["0.50", "4000"]], [["0.61", "50"]]),
  ]);
}

beforeAll(async () => {
  store = await openTestStore();
  await fillStore();
  await runRefresh(
    marketSnapshotsRefresh,
    { now: NOW, since: undefined, isWhole: true },
    { store, signal: new AbortController().signal },
  );
  query = openTestQuery(store, () => NOW);
}, 120_000);
afterAll(() => store.close());

const ask = async (params: Readonly<Record<string, string>>) => (await query.rows(575, { params }))[0] ?? {};

const count = async (params: Record<string, string>) => (await query.rows(575, { params })).length;
const turn = (since: number | undefined, isWhole: boolean, now = NOW) =>
  runRefresh(marketSnapshotsRefresh, { now, since, isWhole }, { store, signal: new AbortController().signal });

describe("market 360", () => {
  test("sums takers' fills over the running hour and 23, and 167, before it; who traded counts makers", async () => {
    expect(await ask({ condition_id: OPEN })).toMatchObject({
      // 5 + 5 in the last hours, 4 in the 23rd before; 60 just beyond them.
      current_volume_24h: 14,
      // and 2 of NO, and 3 in the 167th.
      current_volume_7d: 79,
      volume_ratio_24h_to_7d: (7 * 14) / 79,
      volume_trend: "Normal",
      unique_traders_7d: 5,
      peak_hour_trades: 2,
      trades_per_hour_avg: 6 / 168,
      trade_concentration_flag: false,
      // 15 of the 79 were matched between two wallets of a wash cluster.
      volume_adj: 14 * (1 - 15 / 79),
    });
  });

  test("ranks liquidity among the active markets", async () => {
    const rows = await query.rows(575);
    const ranks = Object.fromEntries(rows.map((row) => [Number(row["condition_id"]), row["liquidity_percentile"]]));
    expect(ranks).toEqual({ 1: 75, 2: null, 3: 0, 4: 25, 5: 50, 6: 75 });
    expect(await ask({ condition_id: OPEN })).toMatchObject({ liquidity_tier: "Top 25%", liquidity_risk_flag: false });
    expect(await ask({ condition_id: hex(3) })).toMatchObject({
      liquidity_tier: "Very Low",
      liquidity_risk_flag: true,
    });
    expect(await ask({ condition_id: RESOLVED })).toMatchObject({ liquidity_tier: null, liquidity_risk_flag: false });
  });

  test("says who holds and who gained", async () => {
    const row = await ask({ condition_id: OPEN });
    // Open: 60, 30 and 10 of 100 shares.
    expect(row).toMatchObject({
      top1_wallet_pct: 60,
      top3_wallet_pct: 100,
      top10_wallet_pct: 100,
      whale_control_flag: true,
      squeeze_risk_flag: false,
      open_interest: 50,
      // YES: wallet 1 gained 5 − 1 + 36 − 30 = 10, 3 lost 10, 5 lost 2; NO: wallet 2 lost 3.
      yes_avg_pnl: -0.666666,
      no_avg_pnl: -3,
      winning_side: "Yes",
      net_pnl: -5,
    });
    // What was resolved is realised at its payout, and open no more.
    expect(await ask({ condition_id: RESOLVED })).toMatchObject({
      yes_avg_pnl: 30,
      no_avg_pnl: null,
      net_pnl: 30,
      open_interest: 0,
      top1_wallet_pct: null,
      profit_loss_ratio: null,
    });
    expect(row["hhi"]).toBeCloseTo(0.46, 10);
    expect(row["effective_traders"]).toBeCloseTo(1 / 0.46, 10);
    expect(row["profit_loss_ratio"]).toBeCloseTo(10 / 15, 10);
  });

  test("measures the newest book", async () => {
    const row = await ask({ condition_id: OPEN });
    // Bids .59×200, .57×100, .50×4000; asks .61×50, .62×500, .64×5000; middle .60.
    expect(row).toMatchObject({ spread: 0.02, depth_usd_2c: 0.59 * 200 + 0.61 * 50 + 0.62 * 500 });
    const bought = 50 + 500 + (1000 - 30.5 - 310) / 0.64;
    const sold = 200 + 100 + (1000 - 118 - 57) / 0.5;
    expect(row["slippage_1k"]).toBeCloseTo(Math.max(1000 / bought - 0.6, 0.6 - 1000 / sold), 6);
    expect(await ask({ condition_id: hex(3) })).toMatchObject({ spread: null, depth_usd_2c: null, slippage_1k: null });
  });

  test("lists what credibility was taken off for, and is null where something is missing", async () => {
    const row = await ask({ condition_id: OPEN });
    expect(row["credibility_reasons"]).toEqual([
      "-18 concentration of holders (HHI): 0.46",
      "-12.5 traders in 7 days: 5",
      expect.stringMatching(/^-10 volatility of hourly prices: 0\.2055$/),
      "-5 age in hours: 12",
    ]);
    expect(row["credibility"]).toBe(100 - 18 - 12.5 - 10 - 5);
    const bare = await ask({ condition_id: hex(3) });
    expect(bare["credibility"]).toBeNull();
    expect(bare["credibility_reasons"]).toContain("missing: spread");
  });

  test("scores the price of a resolved market by the minutes before trading ended", async () => {
    // .6 and .8 against 1; the trade an hour after the end does not count.
    expect(await ask({ condition_id: RESOLVED })).toMatchObject({
      brier_to_date: expect.closeTo((0.16 + 0.04) / 2, 10) as number,
    });
    expect(await ask({ condition_id: OPEN })).toMatchObject({ brier_to_date: null });
  });

  test("filters by its figures, with 0 for off", async () => {
    expect(await count({})).toBe(6);
    expect(
      await count({
        min_volume_24h: "0",
        min_liquidity_percentile: "0",
        min_top1_wallet_pct: "0",
        max_unique_traders_7d: "0",
      }),
    ).toBe(6);
    expect(await count({ min_volume_24h: "10" })).toBe(2);
    expect(await count({ min_liquidity_percentile: "50" })).toBe(3);
    expect(await count({ volume_trend: "No Trades" })).toBe(4);
    expect(await count({ min_top1_wallet_pct: "60" })).toBe(1);
    expect(await count({ max_unique_traders_7d: "2" })).toBe(5);
  });
});

describe("a turn", () => {
  test("works out what was traded since the last, and what moves with time when it is whole", async () => {
    expect(await turn(NOW, false)).toBe(1);
    expect(await turn(NOW, true)).toBe(6);
    expect(await turn(NOW + HOUR, false, NOW + HOUR)).toBe(0);
  });

  test("leaves what a run left, and moves with time without new rows", async () => {
    const before = await query.rows(575);
    await turn(undefined, true);
    expect(await query.rows(575)).toEqual(before);
    await turn(NOW, true, NOW + 24 * HOUR);
    expect(await ask({ condition_id: OPEN })).toMatchObject({ current_volume_24h: 0, volume_trend: "Dying Interest" });
    await turn(NOW, true);
    expect(await ask({ condition_id: OPEN })).toMatchObject({ current_volume_24h: 14 });
  });
});
