import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { openWallets } from "../fixtures/ask-wallets.ts";
import { ANNA, BEN, CONDITIONS } from "../fixtures/wallet-names.ts";

/** The other windows are compared over a complete world in world/wallet-figures. */
const WINDOWS = thoroughly(["1", "3", "7", "15", "30", "90", "all"], ["1", "3", "30", "all"]);

let wallets: Awaited<ReturnType<typeof openWallets>>;
beforeAll(async () => {
  wallets = await openWallets();
});
afterAll(() => wallets.store.close());

describe("the same figures in different datasets", () => {
  it.each(WINDOWS)("agree over a window of %s days, as of any day", async (days) => {
    const period = days === "all" ? "all" : `${days}d`;
    for (const as_of of ["2026-05-21", "2026-06-02", "2026-06-04", "2026-06-05"]) {
      const board = await wallets.rows(579, { leaderboard_period: period, as_of });
      for (const place of board) {
        const wallet = String(place["address"]);
        const whole = await wallets.one(581, { proxy_wallet: wallet, window_days: days, as_of });
        expect(asBoard(whole)).toEqual({ ...place, rank: undefined });
        const start = String(whole["date_range_start"]).slice(0, 10);
        const days569 = await wallets.rows(569, { wallet, start_time: start, end_time: as_of });
        const sum = (field: string): number => days569.reduce((all, row) => all + Number(row[field]), 0);
        expect(micro(sum("fees"))).toBe(micro(whole["fees"]));
        expect(sum("pnl")).toBeCloseTo(Number(whole["total_pnl"]), 6);
        expect(sum("invested")).toBeCloseTo(Number(whole["total_invested"]), 6);
        expect(sum("trades")).toBe(whole["total_trades"]);
        expect([sum("wins"), sum("losses")]).toEqual([whole["winning_trades"], whole["losing_trades"]]);
      }
    }
  });

  it("of 581 over all days agree with the lifetime figures of 586", async () => {
    for (const wallet of [ANNA, BEN]) {
      const life = await wallets.one(586, { wallet_address: wallet });
      const whole = await wallets.one(581, { proxy_wallet: wallet, window_days: "all" });
      expect(life).toMatchObject({
        total_pnl: Number(whole["total_pnl"]).toFixed(2),
        roi_pct: Number(whole["roi"]).toFixed(2),
        total_trades: whole["total_trades"],
        total_invested: Number(whole["total_invested"]).toFixed(2),
        avg_trade_size: Number(whole["avg_trade_size"]).toFixed(2),
        win_rate_pct: (100 * Number(whole["win_rate"])).toFixed(1),
        last_trade: whole["last_active"],
        fees: Number(whole["fees"]).toFixed(6),
      });
    }
  });

  it("have the same fees to the millionth, so that gross profit equals net profit plus fees", async () => {
    const [fees, net] = [1_500_000, 62_500_000];
    const [as_of, wallet] = ["2026-06-05", ANNA];
    const [profile] = await wallets.rows(581, { proxy_wallet: wallet, window_days: "15", as_of });
    const [score] = await wallets.rows(584, { wallet, as_of });
    const [board] = await wallets.rows(579, { wallet_address: wallet, leaderboard_period: "15d", as_of });
    const [life] = await wallets.rows(586, { wallet_address: wallet });
    for (const row of [profile, score, board, life]) expect(micro(row?.["fees"])).toBe(fees);
    expect(profile).toMatchObject({ fees: 1.5, fees_usd: 1.5 });
    const days = await wallets.rows(569, { wallet });
    const inMarkets = await wallets.rows(569, { wallet, condition_id: Object.values(CONDITIONS).join(",") });
    const candles = await wallets.rows(1003, { proxy_wallet: wallet });
    const positions = await wallets.rows(1001, { proxy_wallet: wallet, status: "ALL" });
    for (const rows of [days, inMarkets, candles, positions]) expect(micro(sumOf(rows, "fees"))).toBe(fees);
    expect(micro(sumOf(days, "pnl"))).toBe(net);
    expect(micro(sumOf(candles, "realized_pnl"))).toBe(net);
    expect(micro(sumOf(positions, "realized_pnl"))).toBe(net);
    // 10 × 0.10, 100 × (0.70 − 0.50) + 100 × (1 − 0.50) and 50 × (0.06 − 0.20), before fees.
    expect(micro(sumOf(positions, "pnl_polymarket"))).toBe(net + fees);
  });
});

const micro = (value: unknown): number => Math.round(Number(value) * 1e6);
const sumOf = (rows: readonly Readonly<Record<string, unknown>>[], field: string): number =>
  rows.reduce((sum, row) => sum + Number(row[field]), 0);

/** A row of 581 in the format of 579. */
const asBoard = (row: Readonly<Record<string, unknown>>) => {
  return {
    rank: undefined,
    address: row["proxy_wallet"],
    total_pnl: fixed(row["total_pnl"], 4),
    roi: row["roi"] === null ? null : fixed(Number(row["roi"]) / 100, 6),
    win_rate: fixed(row["win_rate"], 4),
    sharpe_ratio: fixed(row["sharpe_ratio"], 4),
    total_invested: fixed(row["total_invested"], 2),
    avg_trade_size: fixed(row["avg_trade_size"], 2),
    total_trades: row["total_trades"],
    markets_traded: row["markets_traded"],
    sharpe_probability: row["sharpe_probability"],
    fees: fixed(row["fees"], 6),
  };
};

const fixed = (value: unknown, places: number): string | null =>
  value === null ? null : Number(value).toFixed(places);
