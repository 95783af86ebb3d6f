import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { walletDays } from "../../src/tables/wallet-days.ts";
import { openWallets } from "../fixtures/ask-wallets.ts";
import { walletTokenDays } from "../../src/tables/wallet-token-days.ts";
import { hex, tokenId } from "../fixtures/sample-rows.ts";
import { walletDay } from "../fixtures/wallet-day-rows.ts";
import { ANNA, BEN, CONDITIONS, CORA, NOBODY } from "../fixtures/wallet-names.ts";
import { tokenDay } from "../fixtures/wallet-token-day-rows.ts";

const EVERYBODY = [ANNA, BEN, CORA, NOBODY].join(",");

let wallets: Awaited<ReturnType<typeof openWallets>>;
beforeAll(async () => {
  wallets = await openWallets();
});
afterAll(() => wallets.store.close());

describe("profit by day (569)", () => {
  it("books losses on the day a position ends, and omits days without an event", async () => {
    const found = await wallets.rows(569, { wallet: ANNA, start_time: "2026-06-01", end_time: "2026-06-05" });
    expect(figuresOf(found)).toEqual([
      ["2026-06-01T00:00:00Z", "100.00", "-1.00", 2, 0, 0, "0.00"],
      ["2026-06-02T00:00:00Z", "0.00", "20.00", 1, 0, 0, "0.00"],
      ["2026-06-03T00:00:00Z", "10.00", "-0.50", 1, 0, 0, "0.00"],
      ["2026-06-05T00:00:00Z", "0.00", "43.00", 1, 1, 1, "100.00"],
    ]);
  });

  it("has a null win rate on a day without a trade, whether won or lost", async () => {
    const [loser, winner] = [hex(0xe1, 40), hex(0xe2, 40)];
    await wallets.store.insert(walletDays, [
      walletDay(loser, "2026-03-04", { other_events: 1, losses: 1, realized_usd: "-40" }),
      walletDay(winner, "2026-03-04", { other_events: 1, wins: 1, realized_usd: "60" }),
    ]);
    expect(figuresOf(await wallets.rows(569, { wallet: `${loser},${winner}` }))).toEqual([
      ["2026-03-04T00:00:00Z", "0.00", "-40.00", 0, 0, 1, null],
      ["2026-03-04T00:00:00Z", "0.00", "60.00", 0, 1, 0, null],
    ]);
  });

  it("aggregates days into longer intervals", async () => {
    // Intervals of three days start from 1970-01-01: 2026-05-31 is a multiple of three days after it.
    expect(await dated("3d")).toEqual([
      ["2026-05-19", "1.00"],
      ["2026-05-31", "19.00"],
      ["2026-06-03", "42.50"],
    ]);
    expect(await dated("1w")).toEqual([
      ["2026-05-18", "1.00"],
      ["2026-06-01", "61.50"],
    ]);
    expect(await dated("1M")).toEqual([
      ["2026-05-01", "1.00"],
      ["2026-06-01", "61.50"],
    ]);
    expect(await dated("all")).toEqual([["2026-05-20", "62.50"]]);
  });

  it("can be computed first in, first out, and filtered by market", async () => {
    const fifo = await wallets.rows(569, { wallet: ANNA, method: "fifo", start_time: "2026-06-02" });
    expect(fifo.map((row) => row["pnl"])).toEqual(["30.00", "-0.50", "33.00"]);
    const vote = await wallets.rows(569, { wallet: ANNA, condition_id: CONDITIONS.VOTE });
    expect(vote).toMatchObject([
      { pnl: "-0.50", invested: "10.00", trades: 1, losses: 0 },
      { pnl: "-7.00", invested: "0.00", trades: 1, wins: 0, losses: 1, win_rate: "0.00" },
    ]);
  });

  it("accepts a list of wallets, and returns the oldest day first", async () => {
    const found = await wallets.rows(569, { wallet: EVERYBODY, start_time: "2026-06-05" });
    expect(found.map((row) => row["proxy_wallet"])).toEqual([ANNA, BEN]);
    expect(await wallets.rows(569, { wallet: NOBODY })).toEqual([]);
  });
});

describe("the leaderboard (579)", () => {
  it("ranks all wallets with an event, regardless of the filters", async () => {
    const whole = await wallets.rows(579, {});
    expect(whole.map((row) => [row["rank"], row["address"], row["total_pnl"]])).toEqual([
      [1, BEN, "100.0000"],
      [2, ANNA, "61.5000"],
    ]);
    const [ben, anna] = whole;
    expect(await wallets.rows(579, { wallet: ANNA })).toEqual([anna]);
    expect(await wallets.rows(579, { max_total_pnl: "99.9" })).toEqual([anna]);
    expect(await wallets.rows(579, { min_win_rate: "0.6" })).toEqual([ben]);
    expect(await wallets.rows(579, { max_win_rate: "0.5" })).toEqual([anna]);
    expect(await wallets.rows(579, { min_total_trades: "5" })).toEqual([anna]);
    expect(await wallets.rows(579, { max_total_trades: "4", min_total_pnl: "100" })).toEqual([ben]);
    expect(await wallets.rows(579, { min_sharpe_ratio: "15.6", max_sharpe_ratio: "15.61" })).toEqual([anna]);
    expect(await wallets.rows(579, { min_sharpe_ratio: "15.61" })).toEqual([]);
    expect(await wallets.rows(579, { wallet_address: CORA })).toEqual([]);
  });

  it("compares win_rate and sharpe_ratio with their bounds as shown", async () => {
    const wallet = hex(0xe3, 40);
    await wallets.store.insert(walletDays, [
      walletDay(wallet, "2026-01-04", {
        buys: 1,
        wins: 2,
        losses: 1,
        bought_usd: "10",
        realized_usd: "1",
        realized_total_usd: "1",
        cash_usd: "1",
        cash_total_usd: "1",
      }),
      walletDay(wallet, "2026-01-05", {
        buys: 1,
        bought_usd: "10",
        realized_usd: "2",
        realized_total_usd: "3",
        cash_usd: "2",
        cash_total_usd: "3",
      }),
    ]);
    const period = { as_of: "2026-01-05", leaderboard_period: "3d" };
    const [row] = await wallets.rows(579, period);
    // 2 / 3, and 0.15 / √0.005 · √365 = 40.527768….
    expect(row).toMatchObject({ address: wallet, win_rate: "0.6667", sharpe_ratio: "40.5278" });
    expect(await wallets.rows(579, { ...period, min_win_rate: "0.6667", max_win_rate: "0.6667" })).toEqual([row]);
    expect(await wallets.rows(579, { ...period, max_win_rate: "0.66669" })).toEqual([]);
    const only = { min_sharpe_ratio: "40.5278", max_sharpe_ratio: "40.5278" };
    expect(await wallets.rows(579, { ...period, ...only })).toEqual([row]);
  });

  it("is paged by cursor and by offset, and is empty far beyond its end", async () => {
    const first = await page({ limit: 1 });
    expect(first).toMatchObject({ rowCount: 1, hasMore: true });
    const second = await page({ limit: 1, cursor: first.nextCursor });
    expect(JSON.parse(second.body.toString("utf8"))).toMatchObject([{ rank: 2, address: ANNA }]);
    expect(second.hasMore).toBe(false);
    expect(JSON.parse((await page({ limit: 1, offset: 1 })).body.toString("utf8"))).toMatchObject([{ rank: 2 }]);
    expect(await page({ limit: 1, offset: 200_000 })).toMatchObject({ rowCount: 0, hasMore: false });
  });

  it("counts a wallet's markets anew once those of its tokens are known", async () => {
    const [wallet, as_of] = [hex(0xe3, 40), "2026-02-03"];
    const traded = (condition_id: string, index: number) =>
      tokenDay(wallet, as_of, tokenId(900 + index), { condition_id, buys: 1 });
    await wallets.store.insert(walletDays, [walletDay(wallet, as_of, { buys: 2 })]);
    await wallets.store.insert(walletTokenDays, [hex(0), hex(0)].map(traded));
    const count = async () => (await wallets.rows(579, { as_of, leaderboard_period: "1d" }))[0]?.["markets_traded"];
    expect(await count()).toBe(1);
    await wallets.store.insert(walletTokenDays, [hex(1), hex(2)].map(traded));
    expect(await count()).toBe(2);
  });

  it("omits a wallet whose row was retracted", async () => {
    expect(await wallets.rows(579, { as_of: "2026-06-04", leaderboard_period: "1d" })).toEqual([]);
  });
});

const figuresOf = (rows: readonly Readonly<Record<string, unknown>>[]): unknown[][] =>
  rows.map((row) => ["date", "invested", "pnl", "trades", "wins", "losses", "win_rate"].map((field) => row[field]));

const dated = async (granularity: string) =>
  (await wallets.rows(569, { wallet: ANNA, granularity })).map((row) => [String(row["date"]).slice(0, 10), row["pnl"]]);

const page = (pagination: Record<string, unknown>) => wallets.query.answer(579, { pagination });
