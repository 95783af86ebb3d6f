import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chooseMarkets } from "../../src/derivations/market/choose-markets.ts";
import { marketSnapshotsRefresh } from "../../src/derivations/market/refresh-markets.ts";
import { runRefresh } from "../../src/ingest/refresh/refresh-regularly.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { hex } from "../fixtures/sample-rows.ts";
import { fillMarketWorld, HOUR, NOW, OPEN, RESOLVED } from "./market-world.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;

beforeAll(async () => {
  store = await openTestStore();
  await fillMarketWorld(store);
  await runRefresh(
    marketSnapshotsRefresh,
    { now: NOW, since: undefined, isWhole: true },
    { store, signal: new AbortController().signal },
  );
  query = openTestQuery(store, () => NOW);
});
afterAll(() => store.close());

const ask = async (params: Readonly<Record<string, string>>) => (await query.rows(575, { params }))[0] ?? {};

const count = async (params: Record<string, string>) => (await query.rows(575, { params })).length;
const turn = (since: number | undefined, isWhole: boolean, now = NOW) =>
  runRefresh(marketSnapshotsRefresh, { now, since, isWhole }, { store, signal: new AbortController().signal });

describe("market 360", () => {
  test("sums takers' fills over the current hour and the 23 or 167 before it; unique traders include makers", async () => {
    expect(await ask({ condition_id: OPEN })).toMatchObject({
      // 5 + 5 in the last hours, 4 in the 23rd before; 60 just beyond them.
      current_volume_24h: 14,
      // and 2 of NO, and 3 in the 167th.
      current_volume_7d: 79,
      volume_ratio_24h_to_7d: expect.closeTo((7 * 14) / 79, 11),
      volume_trend: "Normal",
      unique_traders_7d: 5,
      peak_hour_trades: 2,
      trades_per_hour_avg: expect.closeTo(6 / 168, 11),
      trade_concentration_flag: false,
      // 15 of the 79 were matched between two wallets of a wash cluster.
      volume_adj: expect.closeTo(14 * (1 - 15 / 79), 11),
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

  test("gives the concentration of holders and the profit by side", async () => {
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
    // A resolved position is realised at its payout, and no longer open.
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

  test("computes spread, depth and slippage from the newest book", async () => {
    const row = await ask({ condition_id: OPEN });
    // Bids .59×200, .57×100, .50×4000; asks .61×50, .62×500, .64×5000; middle .60.
    expect(row).toMatchObject({ spread: 0.02, depth_usd_2c: 0.59 * 200 + 0.61 * 50 + 0.62 * 500 });
    const bought = 50 + 500 + (1000 - 30.5 - 310) / 0.64;
    const sold = 200 + 100 + (1000 - 118 - 57) / 0.5;
    expect(row["slippage_1k"]).toBeCloseTo(Math.max(1000 / bought - 0.6, 0.6 - 1000 / sold), 6);
    expect(row["micro_price"]).toBe((0.59 * 50 + 0.61 * 200) / 250);
    const [bids, asks] = [0.59 * 200, 0.61 * 50 + 0.62 * 500];
    expect(row["imbalance"]).toBeCloseTo((bids - asks) / (bids + asks), 12);
    expect(await ask({ condition_id: hex(3) })).toMatchObject({
      micro_price: null,
      imbalance: null,
      spread: null,
      depth_usd_2c: null,
      slippage_1k: null,
    });
  });

  test("lists the deductions from credibility, and is null if an input is missing", async () => {
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

  test("filters by its figures, where 0 turns a filter off", async () => {
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

describe("a refresh run", () => {
  test.each([undefined, NOW - HOUR])(
    "chooses each market once, however few are held at once (since %s)",
    async (since) => {
      const chosen = async (most: number): Promise<string[][]> => {
        const slices: string[][] = [];
        for await (const some of chooseMarkets(store, { now: NOW, since, isWhole: true }, most))
          slices.push(some.map(({ id }) => id));
        return slices;
      };
      const [all = [], ...none] = await chosen(100);
      expect([all.length > 4, none]).toEqual([true, []]);
      for (const most of [1, 2, 4]) {
        const slices = await chosen(most);
        expect(slices.flat()).toEqual(all);
        expect(Math.max(...slices.map(({ length }) => length))).toBe(most);
      }
    },
  );

  test("recomputes markets with rows stored since the last run, and time-dependent figures in a full run", async () => {
    expect(await turn(Date.now(), false)).toBe(2);
    expect(await turn(Date.now(), true)).toBe(6);
    expect(await turn(Date.now() + HOUR, false, NOW + HOUR)).toBe(0);
  });

  test("leaves the same rows when repeated, and updates time-dependent figures without new rows", async () => {
    const before = await query.rows(575);
    await turn(undefined, true);
    expect(await query.rows(575)).toEqual(before);
    await turn(NOW, true, NOW + 24 * HOUR);
    expect(await ask({ condition_id: OPEN })).toMatchObject({ current_volume_24h: 0, volume_trend: "Dying Interest" });
    await turn(NOW, true);
    expect(await ask({ condition_id: OPEN })).toMatchObject({ current_volume_24h: 14 });
  });
});

describe("labels and flags", () => {
  test("compare figures as shown: one at its threshold is not beyond it", async () => {
    // The quotients of floats are 2.0000000000000004, 0.30000000000000004 and 0.6000000000000001.
    await store.run(
      fromDefinition(
        "INSERT INTO market_snapshots SELECT * REPLACE (0.2 AS volume_24h, 0.7 AS volume_7d, 0.1 + 0.2 AS top1_share, 0.2 + 0.4 AS top3_share, version + 1000000 AS version) FROM market_snapshots FINAL WHERE slug = 'rain-0'",
      ),
    );
    expect(await ask({ market_slug: "rain-0" })).toMatchObject({
      volume_ratio_24h_to_7d: 2,
      volume_trend: "Normal",
      top1_wallet_pct: 30,
      top3_wallet_pct: 60,
      whale_control_flag: false,
    });
  });
});
