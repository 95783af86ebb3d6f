import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWallets } from "../fixtures/ask-wallets.ts";
import { table } from "../fixtures/sample-rows.ts";
import { filled } from "../fixtures/wallet-ledger-rows.ts";
import { ANNA, BEN, CONDITIONS, CORA, NOBODY, TOKENS } from "../fixtures/wallet-names.ts";

const EVERYBODY = [ANNA, BEN, CORA, NOBODY].join(",");

let wallets: Awaited<ReturnType<typeof openWallets>>;
beforeAll(async () => {
  wallets = await openWallets();
});
afterAll(() => wallets.store.close());

describe("positions (1001)", () => {
  it("are given at cost and mark as of any day", async () => {
    const found = await wallets.rows(1001, { proxy_wallet: ANNA, as_of: "2026-06-04" });
    expect(found).toMatchObject([
      {
        token_id: TOKENS.game,
        condition_id: CONDITIONS.GAME,
        slug: "market-0",
        outcome: "Yes",
        status: "open",
        shares: "100.000000",
        average_cost: "0.500000",
        cost: "50.000000",
        cost_fifo: "60.000000",
        mark: "0.800000",
        value: "80.000000",
        unrealized_pnl: "30.000000",
        realized_pnl: "19.000000",
        realized_pnl_fifo: "29.000000",
        trades: 3,
        pct_of_value: 94.1176,
        fees: "1.000000",
        avg_entry_price: "0.500000",
        pnl_polymarket: "50.000000",
        estimated: false,
      },
      { token_id: TOKENS.vote, mark: "0.100000", unrealized_pnl: "-5.000000", realized_pnl: "-0.500000" },
    ]);
  });

  it("are redeemable once resolved, and closed once no shares are held", async () => {
    expect(await wallets.rows(1001, { proxy_wallet: ANNA })).toEqual([]);
    expect(await wallets.rows(1001, { proxy_wallet: ANNA, status: "redeemable" })).toMatchObject([
      {
        token_id: TOKENS.game,
        mark: "1.000000",
        value: "100.000000",
        unrealized_pnl: "0.000000",
        realized_pnl: "69.000000",
      },
    ]);
    const closed = await wallets.rows(1001, { proxy_wallet: ANNA, status: "closed" });
    expect(closed.map((row) => [row["token_id"], row["realized_pnl"], row["average_cost"]])).toEqual([
      [TOKENS.vote, "-7.500000", null],
      [TOKENS.other, "1.000000", null],
    ]);
    expect(await wallets.rows(1001, { proxy_wallet: EVERYBODY, status: "ALL" })).toHaveLength(5);
  });

  it("have the payout as their mark once resolved, even if all shares were sold before", async () => {
    const seller = `0x${"e5".repeat(20)}`;
    await wallets.store.insert(table("polymarket_fills"), [
      filled([seller, "06-01T10:00", "BUY", TOKENS.game, "10", "4"]),
      filled([seller, "06-02T10:00", "SELL", TOKENS.game, "10", "7"]),
    ]);
    const marks = async (as_of: string) =>
      (await wallets.rows(1001, { proxy_wallet: seller, status: "closed", as_of })).map((row) => row["mark"]);
    expect(await marks("2026-06-04")).toEqual(["0.800000"]);
    expect(await marks("2026-06-05")).toEqual(["1.000000"]);
  });

  it("include the venue's figures, which remain after the position ends", async () => {
    const found = await wallets.rows(1001, { proxy_wallet: EVERYBODY, status: "ALL" });
    const shown = found.map((row) =>
      ["token_id", "avg_entry_price", "pnl_polymarket", "fees", "estimated"].map((name) => row[name]),
    );
    expect(shown).toEqual([
      [TOKENS.game, "0.500000", "70.000000", "1.000000", false],
      // Split at 0.50, and half of the shares received by transfer; at a mark of 0.10.
      [TOKENS.vote, "0.500000", "-40.000000", "0.000000", true],
      [TOKENS.vote, "0.200000", "-7.000000", "0.500000", false],
      [TOKENS.vote, "0.400000", "100.000000", "0.000000", false],
      [TOKENS.other, "0.500000", "1.000000", "0.000000", false],
    ]);
  });
});

describe("the equity curve (1003)", () => {
  it("has candles of total profit with the drawdown from the peak", async () => {
    const found = await wallets.rows(1003, { proxy_wallet: ANNA, start_time: "2026-06-02", end_time: "2026-06-04" });
    expect(found).toMatchObject([
      { candle_time: "2026-06-02T00:00:00Z", open: "10.00", high: "40.00", low: "10.00", close: "40.00", pnl: "30.00" },
      { open: "40.00", high: "40.00", low: "29.50", close: "29.50", drawdown: "10.50", realized_pnl: "-0.50" },
      { open: "29.50", close: "44.50", peak: "44.50", drawdown: "0.00", unrealized_pnl: "25.00", trades: 0 },
    ]);
    expect(await wallets.rows(1003, { proxy_wallet: ANNA, interval: "1w" })).toMatchObject([
      { candle_time: "2026-05-18T00:00:00Z", open: "0.00", close: "1.00" },
      {
        candle_time: "2026-06-01T00:00:00Z",
        open: "1.00",
        high: "62.50",
        low: "1.00",
        close: "62.50",
        pnl: "61.50",
        max_drawdown: "10.50",
        trades: 5,
      },
    ]);
  });

  it("has the candles of several wallets in one order, from the newest back or from a start on", async () => {
    const proxy_wallet = EVERYBODY;
    const ascending = await wallets.rows(1003, { proxy_wallet, start_time: "2026-01-01" });
    expect(new Set(ascending.map((row) => row["proxy_wallet"])).size).toBe(3);
    expect(await wallets.rows(1003, { proxy_wallet })).toEqual(ascending);
    const walked: unknown[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const pagination = { limit: 2, ...(cursor === undefined ? {} : { cursor }) };
      const page = await wallets.query.answer(1003, { params: { proxy_wallet }, pagination });
      walked.unshift(...(JSON.parse(page.body.toString("utf8")) as unknown[]));
      cursor = page.nextCursor;
    }
    expect(walked).toEqual(ascending);
  });
});
