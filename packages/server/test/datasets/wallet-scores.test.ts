import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openWallets } from "../fixtures/ask-wallets.ts";
import { scoreRow, scoreRows } from "../fixtures/score-rows.ts";
import { ANNA, BEN, CORA, NOBODY } from "../fixtures/wallet-names.ts";
import { walletScores } from "../../src/tables/wallet-scores.ts";

let world: Awaited<ReturnType<typeof openWallets>>;
beforeAll(async () => {
  world = await openWallets();
  await world.store.insert(walletScores, scoreRows["wallet_scores"]?.() ?? []);
});
afterAll(() => world.store.close());

const OFF = {
  min_win_rate_15d: "ALL",
  max_win_rate_15d: "ALL",
  min_roi_15d: "ALL",
  min_total_trades_15d: "ALL",
  max_total_trades_15d: "ALL",
  min_pnl_15d: "ALL",
};
/** Queries on a later day. */
const onDay = (day: string) => openTestQuery(world.store, () => Date.parse(`${day}T18:00:00Z`));

const ranks = async (params: Record<string, string>) =>
  (await world.rows(584, params)).map((row) => [row["wallet"], row["leaderboard_rank"], row["h_score"]]);

test("584 ranks the pool of the newest scored day by score, and gives each score's tier", async () => {
  expect(await ranks(OFF)).toEqual([
    [ANNA, 1, "61.500"],
    [BEN, 2, "48.000"],
  ]);
  expect(await world.one(584, { wallet: ANNA })).toMatchObject({
    tier: "Sharp",
    score_low: null,
    score_high: null,
    reasons: ["no_closing_price"],
  });
  expect(await world.one(584, { wallet: BEN })).toMatchObject({ tier: "Solid" });
});

test("584's tier is that of the score as shown, rounded to three places", async () => {
  await world.store.insert(walletScores, [
    scoreRow(ANNA, "2026-06-05", { category: "Weather", score: 69.9996 }),
    scoreRow(BEN, "2026-06-05", { category: "Weather", score: 69.9994 }),
  ]);
  expect(await world.rows(584, { ...OFF, category: "Weather" })).toMatchObject([
    { h_score: "70.000", tier: "Elite" },
    { h_score: "69.999", tier: "Sharp" },
  ]);
});

test("584 ranks wallets whose scores are equal under other weights by address", async () => {
  const none = { category: "Tied", skill_pct: 0, profit_pct: 0, risk_pct: 0, timing_pct: 0, breadth_pct: 0 };
  const [first = "", second = ""] = [ANNA, BEN].sort();
  await world.store.insert(walletScores, [
    scoreRow(first, "2026-06-05", { ...none, breadth_pct: 0.375 }),
    scoreRow(second, "2026-06-05", { ...none, timing_pct: 0.375, breadth_pct: 0.125 }),
  ]);
  const weights = "skill:0.35,profit:0.2,risk:0.2,timing:0.1,breadth:0.15";
  expect(await ranks({ ...OFF, category: "Tied", weights })).toEqual([
    [first, 1, "5.625"],
    [second, 2, "5.625"],
  ]);
});

test("584's figures equal those of 581 over 15 days, rounded", async () => {
  for (const wallet of [ANNA, BEN]) {
    const score = await world.one(584, { wallet });
    const whole = await world.one(581, { proxy_wallet: wallet, window_days: "15" });
    expect(score).toMatchObject({
      total_trades_15d: whole["total_trades"],
      markets_traded_15d: whole["markets_traded"],
      total_pnl_15d: Number(whole["total_pnl"]).toFixed(2),
      total_volume_15d: Number(whole["total_invested"]).toFixed(2),
      trajectory: whole["performance_trend"],
      sharpe_probability: whole["sharpe_probability"],
    });
    expect(Number(score["win_rate_pct_15d"])).toBeCloseTo(100 * Number(whole["win_rate"]), 1);
    expect(Number(score["roi_pct_15d"])).toBeCloseTo(Number(whole["roi"]), 0);
    if (whole["sharpe_ratio"] === null) expect(score["sharpe_ratio_15d"]).toBeNull();
    else expect(Number(score["sharpe_ratio_15d"])).toBeCloseTo(Number(whole["sharpe_ratio"]), 1);
  }
});

test("filters of 584 change which rows are returned, never a score or a rank", async () => {
  expect(await ranks({ ...OFF, min_pnl_15d: "99.99" })).toEqual([[BEN, 2, "48.000"]]);
  expect(await ranks({ ...OFF, min_pnl_15d: "100" })).toEqual([]);
  expect(await ranks({})).toEqual([]);
});

test("584 looks up a wallet without the board's default filters, even outside the pool", async () => {
  expect(await ranks({ wallet: `${BEN},${CORA}` })).toEqual([[BEN, 2, "48.000"]]);
  expect(await ranks({ wallet: BEN, min_pnl_15d: "99.99" })).toEqual([[BEN, 2, "48.000"]]);
  expect(await ranks({ wallet: BEN, min_pnl_15d: "100" })).toEqual([]);
  expect(await ranks({ wallet: "ALL" })).toEqual([]);
  expect(await world.rows(584, { wallet: BEN, category: "Politics" })).toMatchObject([
    {
      wallet: BEN,
      leaderboard_rank: null,
      h_score: null,
      tier: null,
      score_low: null,
      reasons: ["no_pool"],
      total_pnl_15d: "100.00",
    },
  ]);
});

test("weights rescore the stored percentiles and rank the pool by the result, without bounds", async () => {
  expect(await ranks({ ...OFF, weights: "risk:1" })).toEqual([
    [BEN, 1, "90.000"],
    [ANNA, 2, "20.000"],
  ]);
  // (3 · 0.9 + 1 · 0.2) / 4.
  expect(await world.one(584, { wallet: ANNA, weights: '{"skill": 3, "risk": 1}' })).toMatchObject({
    h_score: "72.500",
    tier: "Elite",
    score_low: null,
  });
  for (const weights of ["charm:1", "skill:0", "skill:-1", "skill:1,skill:2", "skill"]) {
    await expect(world.rows(584, { weights })).rejects.toThrow();
  }
});

test("each category and each day has its own pool", async () => {
  for (const category of ["Sports", "sports"]) expect(await ranks({ ...OFF, category })).toEqual([[BEN, 1, "55.000"]]);
  expect(await ranks({ ...OFF, as_of: "2026-06-04" })).toEqual([[ANNA, 1, "40.000"]]);
  expect(await onDay("2026-06-08").rows(584, { params: { ...OFF, as_of: "2026-06-08" } })).toEqual([]);
});

test.each(["roi", "pnl", "win_rate", "trades", "sharpe"])(
  "sort_by %s orders rows by the returned value, then by rank",
  async (by) => {
    const field =
      {
        roi: "roi_pct_15d",
        pnl: "total_pnl_15d",
        win_rate: "win_rate_pct_15d",
        trades: "total_trades_15d",
        sharpe: "sharpe_ratio_15d",
      }[by] ?? "";
    const shown = (await world.rows(584, { ...OFF, sort_by: by })).map((row) => Number(row[field] ?? -1e9));
    expect(shown).toHaveLength(2);
    expect(shown).toEqual(shown.toSorted((a, b) => b - a));
  },
);

test("1006 gives a wallet's scores by day with their parts, newest first", async () => {
  const rows = await world.rows(1006, { wallet: ANNA });
  expect(rows.map((row) => [row["date"], row["h_score"]])).toEqual([
    ["2026-06-05T00:00:00Z", "61.500"],
    ["2026-06-04T00:00:00Z", "40.000"],
  ]);
  expect(rows[0]).toMatchObject({ independent_fills: 24, events: 9, skill_percentile: 0.9, capped_pnl: "120.50" });
  expect(await world.rows(1006, { wallet: ANNA, end_date: "2026-06-04" })).toHaveLength(1);
  for (const category of ["Sports", "sPorts"])
    expect(await world.rows(1006, { wallet: BEN, category })).toMatchObject([
      { category: "Sports", h_score: "55.000" },
    ]);
});

const CONTEXT = ["1", "3", "7", "30"];
const contextOf = (row: Readonly<Record<string, unknown>>) => CONTEXT.map((days) => row[`pnl_${days}d`]);

test("584 and 1006 give the profit of 1, 3, 7 and 30 days as in 581", async () => {
  // Realised less fees: 1 in May, then −1, 20, −0.5, 0 and 43 from June 1st on.
  const [fifth, fourth] = [
    ["43.00", "42.50", "61.50", "62.50"],
    ["0.00", "19.50", "18.50", "19.50"],
  ];
  expect(contextOf(await world.one(584, { wallet: ANNA }))).toEqual(fifth);
  expect(contextOf(await world.one(584, { wallet: ANNA, as_of: "2026-06-04" }))).toEqual(fourth);
  expect((await world.rows(1006, { wallet: ANNA })).map(contextOf)).toEqual([fifth, fourth]);
  expect((await world.rows(1006, { wallet: ANNA, start_date: "2026-06-05" })).map(contextOf)).toEqual([fifth]);
  expect((await world.rows(1006, { wallet: ANNA, end_date: "2026-06-04" })).map(contextOf)).toEqual([fourth]);
  const whole = await Promise.all(CONTEXT.map((window_days) => world.one(581, { proxy_wallet: BEN, window_days })));
  const ofBen = whole.map((row) => Number(row["total_pnl"]).toFixed(2));
  expect(contextOf(await world.one(584, { wallet: BEN, category: "Sports" }))).toEqual(ofBen);
  expect((await world.rows(1006, { wallet: BEN, category: "Sports" })).map(contextOf)).toEqual([ofBen]);
});

const storeScores = (...rows: Parameters<typeof scoreRow>[]) =>
  world.store.insert(
    walletScores,
    rows.map((row) => scoreRow(...row)),
  );

test("584 returns the day before while a day's pool is incomplete, or if all its rows were retracted", async () => {
  const own = { category: "Chess" };
  const ofChess = () => ranks({ ...OFF, ...own });
  await storeScores([ANNA, "2026-06-04", { ...own, pool: 1, score: 20 }]);
  await storeScores([BEN, "2026-06-05", { ...own, pool: 2, score: 30 }]);
  expect(await ofChess()).toEqual([[ANNA, 1, "20.000"]]);
  await storeScores([ANNA, "2026-06-05", { ...own, pool: 2, score: 40 }]);
  const whole = [
    [ANNA, 1, "40.000"],
    [BEN, 2, "30.000"],
  ];
  expect(await ofChess()).toEqual(whole);
  // The pool is recomputed with one more wallet: until its row is stored, the day keeps its old ranking.
  await storeScores([ANNA, "2026-06-05", { ...own, pool: 3, score: 40 }]);
  expect(await ofChess()).toEqual(whole);
  await storeScores([ANNA, "2026-06-05", { ...own, is_gone: true }], [BEN, "2026-06-05", { ...own, is_gone: true }]);
  expect(await ofChess()).toEqual([[ANNA, 1, "20.000"]]);
});

test("prefers the requested spelling of a category that exists in two spellings", async () => {
  await storeScores(
    [ANNA, "2026-06-05", { category: "Golf", pool: 1, score: 20 }],
    [ANNA, "2026-06-05", { category: "GOLF", pool: 1, score: 30 }],
  );
  for (const [category, score] of [
    ["Golf", "20.000"],
    ["GOLF", "30.000"],
    ["golf", "30.000"],
  ] as const) {
    expect(await ranks({ ...OFF, category })).toEqual([[ANNA, 1, score]]);
    expect(await world.rows(1006, { wallet: ANNA, category })).toMatchObject([{ h_score: score }]);
  }
});

const scoreOf = async (proxy_wallet: string) => {
  const rows = await onDay("2026-06-07").rows(581, { params: { proxy_wallet, as_of: "2026-06-07" } });
  expect(rows).toHaveLength(1);
  return rows[0]?.["wallet_score"];
};

test("581 gives the score that 584 ranks by", async () => {
  await storeScores([ANNA, "2026-06-06", { pool: 1, score: 33 }], [BEN, "2026-06-07", { pool: 2, score: 44 }]);
  expect([await scoreOf(ANNA), await scoreOf(BEN)]).toEqual([33, null]);
  await storeScores([CORA, "2026-06-07", { pool: 2, score: 55 }]);
  expect([await scoreOf(ANNA), await scoreOf(BEN)]).toEqual([null, 44]);
});

test("a wallet of the pool without activity in the fifteen days has a row without ratios", async () => {
  const own = { category: "Idle", pool: 3 };
  await storeScores(
    [ANNA, "2026-06-05", { ...own, score: 20 }],
    [CORA, "2026-06-05", { ...own, score: 40 }],
    [NOBODY, "2026-06-05", { ...own, score: 30 }],
  );
  const places = [
    [CORA, 1, "40.000"],
    [NOBODY, 2, "30.000"],
    [ANNA, 3, "20.000"],
  ];
  expect(await ranks({ ...OFF, category: "Idle" })).toEqual(places);
  expect(await ranks({ category: "Idle", wallet: `${CORA},${NOBODY},${BEN}` })).toEqual([
    ...places.slice(0, 2),
    [BEN, null, null],
  ]);
  expect(await world.one(584, { category: "Idle", wallet: BEN })).toMatchObject({ reasons: ["insufficient_sample"] });
  expect(await ranks({ ...OFF, category: "Idle", max_total_trades_15d: "0" })).toEqual(places.slice(0, 2));
  for (const wallet of [CORA, NOBODY])
    expect(await world.one(584, { category: "Idle", wallet })).toMatchObject({
      roi_pct_15d: null,
      win_rate_pct_15d: null,
      sharpe_ratio_15d: null,
      sharpe_probability: null,
      total_trades_15d: 0,
      markets_traded_15d: 0,
      total_pnl_15d: "0.00",
      total_volume_15d: "0.00",
      pnl_30d: "0.00",
      trajectory: "stable",
    });
  for (const sort_by of ["roi", "pnl", "win_rate", "trades", "sharpe"])
    expect((await ranks({ ...OFF, category: "Idle", sort_by })).map(([wallet]) => wallet)).toEqual([
      ANNA,
      CORA,
      NOBODY,
    ]);
});
