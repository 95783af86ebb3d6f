import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/thoroughly.ts";
import { openWallets } from "../fixtures/ask-wallets.ts";
import { ANNA, BEN } from "../fixtures/wallet-names.ts";

/** Over a whole world the others are compared in world/wallet-figures. */
const WINDOWS = thoroughly(["1", "3", "7", "15", "30", "90", "all"], ["1", "3", "30", "all"]);

let wallets: Awaited<ReturnType<typeof openWallets>>;
beforeAll(async () => {
  wallets = await openWallets();
});
afterAll(() => wallets.store.close());

describe("the same figures in different clothes", () => {
  it.each(WINDOWS)("agree over %s days, for any day", async (days) => {
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
        expect(sum("pnl")).toBeCloseTo(Number(whole["total_pnl"]), 6);
        expect(sum("invested")).toBeCloseTo(Number(whole["total_invested"]), 6);
        expect(sum("trades")).toBe(whole["total_trades"]);
        expect([sum("wins"), sum("losses")]).toEqual([whole["winning_trades"], whole["losing_trades"]]);
      }
    }
  });

  it("agree over a lifetime, with 586", async () => {
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
      });
    }
  });
});

/** A row of 581 in the clothes of 579. */
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
  };
};

const fixed = (value: unknown, places: number): string | null =>
  value === null ? null : Number(value).toFixed(places);
