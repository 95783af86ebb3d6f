import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { hex, table, tokenId } from "../fixtures/sample-rows.ts";
import { held } from "./held.ts";

const [YES, NO] = [tokenId(0), tokenId(1)];
const NOW = Date.UTC(2026, 10, 20, 12);

let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;
const ask = (params: Readonly<Record<string, string>>) => query.rows(1004, { params });

beforeAll(async () => {
  store = await openTestStore();
  await store.insert(table("polymarket_tokens"), [
    { token_id: YES, condition_id: hex(1), outcome_index: 0, outcome: "Yes", slug: "rain" },
    { token_id: NO, condition_id: hex(1), outcome_index: 1, outcome: "No", slug: "rain" },
    { token_id: tokenId(2), condition_id: hex(2), outcome_index: 0, outcome: "Yes", slug: "snow" },
    { token_id: tokenId(4), condition_id: hex(3), outcome_index: 255, outcome: "Hail", slug: "hail" },
  ]);
  await store.insert(table("wallet_token_days"), [
    held(1, YES, "90", "45", { day: "2026-11-18" }),
    held(1, YES, "60", "30", { day: "2026-11-19" }),
    held(2, YES, "20", "16", { day: "2026-11-19" }),
    held(2, NO, "30", "12", { day: "2026-11-20" }),
    held(3, YES, "0.009", "0", { day: "2026-11-19" }),
    held(4, YES, "70", "1", { day: "2026-11-19", is_gone: true }),
    held(5, tokenId(2), "8", "8", { day: "2026-11-19", payout: "1", condition_id: hex(2) }),
    held(6, tokenId(6), "10.000001", "5", { day: "2026-11-19", payout: "0.5", condition_id: hex(4) }),
    held(5, tokenId(4), "8", "8", { day: "2026-11-19", condition_id: hex(3) }),
  ]);
  const priced = { trade_close: null, mid_close: null, volume_usd: "0", trade_count: 0 };
  await store.insert(table("token_days"), [
    { ...priced, token_id: YES, day: "2026-11-18", mark: "0.4" },
    { ...priced, token_id: YES, day: "2026-11-20", mark: "0.75" },
  ]);
  query = openTestQuery(store, () => NOW);
});
afterAll(() => store.close());

describe("market holders", () => {
  test("are listed at cost and mark, largest first", async () => {
    expect(await ask({ condition_id: hex(1) })).toEqual([
      {
        proxy_wallet: hex(1, 40),
        condition_id: hex(1),
        token_id: YES,
        outcome: "Yes",
        outcome_index: 0,
        shares: "60.000000",
        pct_of_outcome: 75,
        average_cost: "0.500000",
        cost: "30.000000",
        mark: "0.750000",
        value: "45.000000",
        unrealized_pnl: "15.000000",
        is_resolved: false,
        last_at: expect.stringMatching(/^2026-11-19T/) as string,
      },
      expect.objectContaining({ outcome: "No", shares: "30.000000", mark: null, value: null, unrealized_pnl: null }),
      expect.objectContaining({
        proxy_wallet: hex(2, 40),
        shares: "20.000000",
        pct_of_outcome: 25,
        value: "15.000000",
      }),
    ]);
  });

  test("can be listed as of the end of a day", async () => {
    expect(await ask({ token_id: YES, as_of: "2026-11-18" })).toMatchObject([
      { shares: "90.000000", mark: "0.400000", value: "36.000000", unrealized_pnl: "-9.000000", pct_of_outcome: 100 },
    ]);
    expect(await ask({ token_id: YES, as_of: "2026-11-17" })).toEqual([]);
  });

  test("of a resolved market have unredeemed shares valued at their payout", async () => {
    expect(await ask({ token_id: tokenId(2) })).toMatchObject([
      { is_resolved: true, mark: "1.000000", value: "8.000000", unrealized_pnl: "0.000000" },
    ]);
  });

  test("have nothing unrealised at a payout by halves: values are rounded down, as costs are", async () => {
    expect(await ask({ token_id: tokenId(6) })).toMatchObject([
      { shares: "10.000001", cost: "5.000000", value: "5.000000", unrealized_pnl: "0.000000" },
    ]);
  });

  test("have a null outcome_index for an outcome known only from trades", async () => {
    expect(await ask({ token_id: tokenId(4) })).toMatchObject([{ outcome: "Hail", outcome_index: null }]);
  });

  test("require a market or a token, and filter by a minimum number of shares", async () => {
    await expect(ask({})).rejects.toMatchObject({ code: "INVALID_PARAMS" });
    expect(await ask({ condition_id: hex(1), min_shares: "30" })).toHaveLength(2);
  });
});
