import type { Readable } from "../../src/access/caller.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import { openWallets } from "../fixtures/ask-wallets.ts";
import { hex, table } from "../fixtures/sample-rows.ts";
import { walletDay } from "../fixtures/wallet-day-rows.ts";
import { filled } from "../fixtures/wallet-ledger-rows.ts";
import { ANNA, BEN, CONDITIONS, CORA, NOBODY, TOKENS } from "../fixtures/wallet-names.ts";

/** Its history begins late. */
const LATE = hex(0xe5, 40);
const EVERYBODY = [ANNA, BEN, CORA, NOBODY].join(",");

let wallets: Awaited<ReturnType<typeof openWallets>>;
beforeAll(async () => {
  wallets = await openWallets();
});
afterAll(() => wallets.store.close());

describe("wallet 360 (581)", () => {
  it("gives every figure of a week as computed by hand", async () => {
    const { performance_by_category, ...row } = await wallets.one(581, { proxy_wallet: ANNA });
    expect(row).toEqual({
      proxy_wallet: ANNA,
      date: "2026-06-05T00:00:00Z",
      date_range_start: "2026-05-30T00:00:00Z",
      date_range_end: "2026-06-05T00:00:00Z",
      calculation_window_days: 7,
      last_active: "2026-06-05T10:00:00Z",
      total_trades: 5,
      total_buy_trades: 3,
      total_sell_trades: 2,
      buy_trade_ratio: 0.6,
      sell_trade_ratio: 0.4,
      // 40 + 60 + 10
      total_invested: 110,
      // 100 × (0.70 − 0.50) + 100 × (1 − 0.50) + 50 × (0.06 − 0.20) − 1.5 of fees
      total_pnl: 61.5,
      roi: 55.909091,
      winning_trades: 1,
      losing_trades: 1,
      win_rate: 0.5,
      win_rate_z_score: 0,
      // 1 − 1/√5
      statistical_confidence: 0.552786,
      markets_traded: 2,
      num_markets_traded: 2,
      avg_trade_size: 22,
      avg_market_exposure: 55,
      // of 40, 60 and 10
      trade_size_stdev: 25.166115,
      // of 100 and 10
      stddev_position_size: 63.63961,
      coefficient_of_variation: 1.157084,
      position_size_consistency: 0,
      max_position_pct: 90.909091,
      dominant_market_id: CONDITIONS.GAME,
      dominant_market_pnl: 69,
      best_market_pnl: 69,
      worst_market_pnl: -7.5,
      // 69 / 76.5
      market_concentration_ratio: 0.901961,
      category_diversity_score: 0.462749,
      // daily profits 9, 30, −10.5, 15, 18 on capital of 101, 110, 80.5, 70, 85
      sharpe_ratio: 15.605948,
      sortino_ratio: 43.065743,
      calmar_ratio: null,
      gain_to_pain_ratio: 5.857143,
      profit_factor: 9.2,
      annualized_return: null,
      // 10.5 / 39, on one of seven days, recovered on the next
      max_drawdown: 0.269231,
      drawdown_frequency: 0.142857,
      recovery_time_avg: 1,
      ulcer_index: 0.120404,
      curve_volatility: 0.160972,
      // R² on time is 0.799
      equity_curve_pattern: "volatile",
      performance_trend: "improving",
      days_active: 4,
      pnl_last_30day: 62.5,
      win_rate_last_30day: 0.666667,
      perfect_timing_score: null,
      perfect_timing_flag: false,
      timing_hit_rate: 0.5,
      timing_z_score: null,
      suspicious_timing_trades: 2,
      total_timed_trades: 3,
      timing_anomaly_flag: false,
      sybil_risk_score: 0,
      similar_wallets_count: 0,
      sybil_risk_flag: false,
      suspicious_win_rate_flag: false,
      position_size_volatility_flag: false,
      single_market_dependence_flag: false,
      combined_risk_score: 0,
      risk_level: "LOW",
      flagged_metrics: "{}",
      unrealized_pnl: 0,
      pnl_status: "exact",
      pnl_residual_usd: 0,
      fees_usd: 1.5,
      fees: 1.5,
      // (200 − 100) / 200 in one event, (0 − 20) / 100 in the other
      edge: 0.15,
      edge_low: -0.536,
      edge_high: 0.836,
      clv: 0.133333,
      brier_advantage: -0.345,
      wallet_score: null,
      maker_share: 0.218579,
      wash_volume_share: 0,
      income_usd: null,
      settled_pnl: null,
      economic_pnl: null,
      income_checked_at: null,
      // SR 0.816853 a day over five, skewness −0.947748, kurtosis 2.418474
      sharpe_probability: expect.closeTo(0.87536, 4) as number,
      max_drawdown_usd: 10.5,
    });
    const part = { win_rate: 1, losing_trades: 0, winning_trades: 1, total_trades: 3 };
    const sports = { ...part, roi: 69, total_pnl: 69, total_invested: 100, total_buy_trades: 2, total_sell_trades: 1 };
    expect(JSON.parse(String(performance_by_category))).toEqual([
      { ...sports, category: "Sports" },
      { ...sports, category: "Sports / Basketball" },
      { ...sports, category: "Sports / Basketball / NBA" },
      {
        category: "Politics",
        roi: -75,
        win_rate: 0,
        total_pnl: -7.5,
        total_trades: 2,
        losing_trades: 1,
        total_invested: 10,
        winning_trades: 0,
        total_buy_trades: 1,
        total_sell_trades: 1,
      },
    ]);
  });

  it("gives a past day with the marks, wins and history known on that day", async () => {
    const row = await wallets.one(581, { proxy_wallet: ANNA, window_days: "all", as_of: "2026-06-04" });
    expect(row).toMatchObject({
      date_range_start: "2026-05-20T00:00:00Z",
      calculation_window_days: 16,
      last_active: "2026-06-03T10:00:00Z",
      total_trades: 6,
      total_pnl: 19.5,
      winning_trades: 1,
      losing_trades: 0,
      // 100 × 0.8 − 50 and 50 × 0.1 − 10
      unrealized_pnl: 25,
      edge: null,
      // 19 of 20.5, in three markets
      market_concentration_ratio: 0.926829,
      single_market_dependence_flag: true,
      combined_risk_score: 10,
      flagged_metrics: "{single_market_dependence}",
    });
    expect(JSON.parse(String(row["performance_by_category"]))).toContainEqual(
      expect.objectContaining({ category: "Other", total_pnl: 1, winning_trades: 1 }),
    );
  });

  it("has a row for each known wallet of a list, and none for unknown wallets", async () => {
    const found = await wallets.rows(581, { wallet_address: `{${EVERYBODY}}` });
    expect(found.map((row) => row["proxy_wallet"])).toEqual([ANNA, BEN, CORA]);
    expect(found[2]).toMatchObject({
      total_trades: 0,
      roi: null,
      win_rate: null,
      avg_trade_size: null,
      position_size_consistency: null,
      calmar_ratio: null,
      // Only a loss: 10 − 50 from the day of the first price.
      max_drawdown: null,
      max_drawdown_usd: 40,
      last_active: null,
      performance_by_category: "[]",
      // 100 × 0.10 − 50
      unrealized_pnl: -40,
      pnl_status: "estimated",
    });
    expect(await wallets.rows(581, { proxy_wallet: ANNA, as_of: "2026-05-19" })).toEqual([]);
  });

  it("has only history figures if the wallet has no day in the window", async () => {
    expect(await wallets.one(581, { proxy_wallet: ANNA, window_days: "3", as_of: "2026-05-28" })).toMatchObject({
      total_trades: 0,
      pnl_last_30day: 1,
      last_active: "2026-05-21T09:00:00Z",
      sharpe_probability: null,
      sharpe_ratio: null,
      max_drawdown_usd: null,
      drawdown_frequency: null,
      equity_curve_pattern: null,
      recovery_time_avg: null,
      performance_trend: "stable",
      market_concentration_ratio: null,
    });
  });

  it("has pnl_status estimated, not unreconciled, if the wallet sold shares it never held", async () => {
    await wallets.store.insert(table("wallet_days"), [
      walletDay(LATE, "2026-04-01", soldUnheld("7", "7")),
      walletDay(LATE, "2026-06-05", soldUnheld("12", "19")),
    ]);
    await wallets.store.insert(table("polymarket_fills"), [
      filled([LATE, "04-01T10:00", "SELL", TOKENS.vote, "10", "7"]),
      filled([LATE, "06-05T10:00", "SELL", TOKENS.vote, "20", "12"]),
    ]);
    const statusOf = async (proxy_wallet: string, as_of: string) => {
      const { pnl_status, pnl_residual_usd } = await wallets.one(581, { proxy_wallet, as_of });
      return [pnl_status, pnl_residual_usd];
    };
    expect(await statusOf(LATE, "2026-06-04")).toEqual(["estimated", 7]);
    expect(await statusOf(LATE, "2026-06-05")).toEqual(["estimated", 19]);
    const none = { close: "0.00", pnl: "0.00", realized_pnl: "0.00", peak: "0.00" };
    expect(await wallets.rows(1003, { proxy_wallet: LATE })).toMatchObject([none, none]);
  });

  it("takes patterns and score from the derived tables", async () => {
    await wallets.store.insert(table("wallet_patterns"), [
      pattern("sybil", "2026-06-01", 90, { cluster_size: 4 }),
      pattern("sybil", "2026-06-05", 75, { cluster_size: 3 }),
      pattern("wash", "2026-06-03", 50, { share: 0.25 }),
    ]);
    await wallets.store.insert(table("wallet_scores"), [score("2026-06-03", 10), score("2026-06-04", 61.5)]);
    expect(await wallets.one(581, { proxy_wallet: BEN })).toMatchObject({
      sybil_risk_score: 75,
      similar_wallets_count: 2,
      sybil_risk_flag: true,
      combined_risk_score: 20,
      risk_level: "MEDIUM",
      flagged_metrics: "{sybil_risk}",
      wash_volume_share: 0.25,
      wallet_score: 61.5,
    });
  });

  it("shows the score only to callers who may read 584, and warns others why it is null", async () => {
    await wallets.store.insert(table("wallet_scores"), [score("2026-06-04", 61.5)]);
    const requested = { agent_id: 581, params: { proxy_wallet: BEN } };
    const scoreFor = async (...may: readonly number[]) => {
      const asker = { mayRead: ({ agentId }: Readable) => may.includes(agentId), maxPage: 10 };
      const { body, warnings } = await wallets.query.ask(requested, asker, undefined);
      const [row] = JSON.parse(body.toString("utf8")) as Record<string, unknown>[];
      return [row?.["wallet_score"], row?.["total_trades"], warnings];
    };
    const [reported, trades] = await scoreFor(581, 584);
    expect(reported).toBe(61.5);
    const why =
      "wallet_score is null: it belongs to agent_id 584 (wallet-score-leaderboard), which this key may not read";
    expect(await scoreFor(581)).toEqual([null, trades, [why]]);
    expect(await scoreFor(581, 584)).toEqual([61.5, trades, []]);
    const plans = datasets.filter(({ agentId }) => agentId === 584 || agentId === 1006).map(({ plan }) => plan);
    expect(plans).toEqual(["pro", "pro"]);
  });
});

/** Sells on one day of shares that were never held. */
const soldUnheld = (amount: string, total: string) => ({
  sells: 1,
  sold_usd: amount,
  cash_usd: amount,
  unmatched_usd: amount,
  cash_total_usd: total,
  is_estimated: true,
});

const pattern = (kind: string, day: string, of: number, change: Record<string, unknown>) => ({
  day,
  wallet: BEN,
  pattern: kind,
  score: of,
  cluster: `0x${"0".repeat(40)}`,
  cluster_size: 0,
  n: 10,
  share: 0,
  base_rate: 0,
  parts: "{}",
  is_gone: false,
  ...change,
});

const score = (day: string, of: number) => ({
  ...Object.fromEntries(
    Object.entries(table("wallet_scores").columns)
      .filter(([name]) => name !== "version")
      .map(([name, { stored }]) => [name, stored.startsWith("Array") ? [] : stored.includes("String") ? "" : 0]),
  ),
  day,
  wallet: BEN,
  category: "",
  score: of,
  is_gone: false,
});
