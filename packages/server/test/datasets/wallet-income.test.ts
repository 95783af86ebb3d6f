import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWallets } from "../fixtures/ask-wallets.ts";
import { hex, table } from "../fixtures/sample-rows.ts";
import { ANNA, BEN, CORA } from "../fixtures/wallet-names.ts";

const credit = (wallet: string, ts: string, kind: string, amount_usd: string, place = 0) => ({
  wallet,
  ts,
  kind,
  tx_hash: hex(Date.parse(ts) / 1000),
  amount_usd,
  place,
});

let wallets: Awaited<ReturnType<typeof openWallets>>;
beforeAll(async () => {
  wallets = await openWallets();
  await wallets.store.insert(table("polymarket_income"), [
    credit(ANNA, "2026-05-20T00:20:00Z", "reward", "1000"),
    credit(ANNA, "2026-05-30T00:00:00Z", "reward", "2.5"),
    credit(ANNA, "2026-06-03T00:20:00Z", "maker_rebate", "0.000001"),
    credit(ANNA, "2026-06-03T00:20:00Z", "maker_rebate", "4"),
    credit(ANNA, "2026-06-03T00:20:00Z", "maker_rebate", "4", 1),
    credit(ANNA, "2026-06-05T23:59:59Z", "yield", "0.25"),
    credit(ANNA, "2026-06-06T00:00:00Z", "yield", "7"),
    credit(CORA, "2026-06-04T00:20:00Z", "reward", "9"),
  ]);
  const at = "2026-06-05T17:00:00Z";
  await wallets.store.insert(table("polymarket_income_wallets"), [
    { wallet: ANNA, asked_at: at, checked_at: at },
    { wallet: BEN, asked_at: at, checked_at: at },
    { wallet: CORA, asked_at: at, checked_at: null },
  ]);
});
afterAll(() => wallets.store.close());

describe("income in wallet 360 (581)", () => {
  it("is summed over the window, apart from trading profit", async () => {
    expect(await wallets.one(581, { proxy_wallet: ANNA })).toMatchObject({
      total_pnl: 61.5,
      pnl_status: "exact",
      pnl_residual_usd: 0,
      // 2.5 + 0.000001 + 4 + 4 + 0.25
      income_usd: 10.750001,
      settled_pnl: 72.250001,
      economic_pnl: 72.250001,
      income_checked_at: "2026-06-05T17:00:00Z",
    });
    expect(await wallets.one(581, { proxy_wallet: ANNA, window_days: "3" })).toMatchObject({ income_usd: 8.250001 });
    expect(await wallets.one(581, { proxy_wallet: ANNA, window_days: "all", as_of: "2026-06-04" })).toMatchObject({
      total_pnl: 19.5,
      unrealized_pnl: 25,
      income_usd: 1010.500001,
      settled_pnl: 1030.000001,
      economic_pnl: 1055.000001,
    });
  });

  it("is 0 if it was checked and there is none, and null if it was never checked", async () => {
    const [, ben, cora] = await wallets.rows(581, { proxy_wallet: [ANNA, BEN, CORA].join(",") });
    expect(ben).toMatchObject({ proxy_wallet: BEN, income_usd: 0, settled_pnl: ben?.["total_pnl"] });
    const nothing = { income_usd: null, settled_pnl: null, economic_pnl: null, income_checked_at: null };
    expect(cora).toMatchObject({ proxy_wallet: CORA, ...nothing });
  });
});

describe("income in the ledger (1002)", () => {
  it("has rows of its kinds without a token, in the same order page by page", async () => {
    const rows = await wallets.rows(1002, { proxy_wallet: ANNA });
    const income = rows.filter((row) => row["token_id"] === null);
    expect(income.map((row) => [row["timestamp"], row["kind"], row["usd"], row["place"]])).toEqual([
      ["2026-06-06T00:00:00Z", "yield", "7.000000", 0],
      ["2026-06-05T23:59:59Z", "yield", "0.250000", 0],
      ["2026-06-03T00:20:00Z", "maker_rebate", "4.000000", 2],
      ["2026-06-03T00:20:00Z", "maker_rebate", "4.000000", 1],
      ["2026-06-03T00:20:00Z", "maker_rebate", "0.000001", 0],
      ["2026-05-30T00:00:00Z", "reward", "2.500000", 0],
      ["2026-05-20T00:20:00Z", "reward", "1000.000000", 0],
    ]);
    const nothing = { shares: "0.000000", fee_usd: "0.000000", price: null, role: null, slug: null, outcome: null };
    for (const row of income) expect(row).toMatchObject({ ...nothing, condition_id: null, block_number: null });
    expect(await byCursor()).toEqual(rows);
  });

  it("can be filtered by kind and time, and adds up to the income of 581", async () => {
    const span = { start_time: "2026-05-30", end_time: "2026-06-05" };
    const rebates = await wallets.rows(1002, { proxy_wallet: ANNA, kind: "maker_rebate", ...span });
    expect(rebates).toHaveLength(3);
    const rows = await wallets.rows(1002, { proxy_wallet: ANNA, ...span });
    const sum = rows.filter((row) => row["token_id"] === null).reduce((total, row) => total + Number(row["usd"]), 0);
    expect(sum).toBeCloseTo(10.750001, 6);
    expect(await wallets.rows(1002, { proxy_wallet: CORA, kind: "reward" })).toHaveLength(1);
  });
});

/** Anna's complete ledger, two rows a page. */
async function byCursor(): Promise<unknown[]> {
  const found: unknown[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < 100; page += 1) {
    const pagination = { limit: 2, ...(cursor === null ? {} : { cursor }) };
    const answer = await wallets.query.answer(1002, { params: { proxy_wallet: ANNA }, pagination });
    found.push(...(JSON.parse(answer.body.toString("utf8")) as unknown[]));
    cursor = answer.nextCursor;
    if (cursor === null) return found;
  }
  throw new Error("the walk has no end");
}
