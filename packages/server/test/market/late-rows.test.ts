import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { marketSnapshotsRefresh } from "../../src/derivations/market/refresh-markets.ts";
import { LATE_MS } from "../../src/derivations/market/choose-markets.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { runRefresh } from "../../src/ingest/refresh/refresh-regularly.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { hex, market, table, tokenId } from "../fixtures/sample-rows.ts";
import { held } from "./held.ts";

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 20, 12, 30);
const CLOSED_AT = NOW - 30 * 24 * HOUR;
const [HELD, PRICED, RESOLVED, RENAMED] = [hex(2), hex(3), hex(4), hex(5)];

let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;

const closed = (index: number, change = {}) =>
  market(index, {
    condition_id: hex(index + 1),
    closed: true,
    closed_date: new Date(CLOSED_AT).toISOString(),
    ...change,
  });

beforeAll(async () => {
  store = await openTestStore();
  query = openTestQuery(store, () => NOW);
  await store.insert(
    table("polymarket_markets"),
    [0, 1, 2, 3, 4].map((index) => closed(index, index === 2 ? { payout_a: "1", resolution_status: "resolved" } : {})),
  );
  await turn(undefined);
});
afterAll(() => store.close());

const turn = (since: number | undefined, isWhole = since === undefined) =>
  runRefresh(marketSnapshotsRefresh, { now: NOW, since, isWhole }, { store, signal: new AbortController().signal });

/** Stores rows, and returns the number of markets recomputed by a run whose lookback starts with these rows. */
async function storeLate(name: string, rows: InsertRow[]): Promise<number> {
  await setTimeout(5);
  const since = Date.now() + LATE_MS;
  await store.insert(table(name), rows);
  return turn(since);
}

const rowOf = async (condition_id: string) => (await query.rows(575, { params: { condition_id } }))[0] ?? {};

const resolution = (condition: string) => ({
  ts: (NOW - 20 * 24 * HOUR) / 1000,
  tx_hash: hex(9000),
  log_index: 1,
  condition_id: condition,
  oracle: hex(9, 40),
  question_id: hex(9001),
  payout_numerators: ["1", "0"],
  payouts: ["1", "0"],
  block_number: 1,
});

const candle = (token_id: string) => ({
  token_id,
  minute: (CLOSED_AT - HOUR) / 1000,
  open: "0.8",
  high: "0.8",
  low: "0.8",
  close: "0.8",
  price_sum: "0.8",
  volume: "1",
  volume_usd: "0.8",
  trade_count: 1,
});

const tokenDay = (token_id: string) => ({
  token_id,
  day: "2026-10-21",
  trade_close: "0.8",
  mid_close: null,
  mark: "0.8",
  volume_usd: "0.8",
  trade_count: 1,
});

test("leaves a closed market alone if no rows were stored for it since", async () => {
  expect(await turn(Date.now() + 2 * LATE_MS)).toBe(0);
  expect(await turn(Date.now() + 2 * LATE_MS, true)).toBe(0);
});

test("updates a closed market when wallet holdings are derived days after it closed", async () => {
  expect(await rowOf(HELD)).toMatchObject({ net_pnl: null, open_interest: null });
  const rows = [held(1, tokenId(2), "40", "10", { day: "2026-10-20", condition_id: HELD, realized_usd: "30" })];
  expect(await storeLate("wallet_token_days", rows)).toBe(1);
  expect(await rowOf(HELD)).toMatchObject({ yes_avg_pnl: expect.any(Number) as number, open_interest: 20 });
});

test("updates a closed market when fills from before its close arrive", async () => {
  const fill = {
    ts: (CLOSED_AT - HOUR) / 1000,
    tx_hash: hex(800),
    order_hash: hex(801),
    wallet: hex(1, 40),
    token_id: tokenId(0),
    side: "BUY",
    role: "taker",
    match_kind: "complementary",
    shares: "1",
    usd: "0.8",
    fee_usd: "0",
    block_number: 1,
    log_index: 1,
    source: "chain_v2",
  };
  expect(await storeLate("polymarket_fills", [fill])).toBe(1);
});

test("updates a closed market when prices from before its close arrive", async () => {
  expect(await rowOf(PRICED)).toMatchObject({ brier_to_date: null });
  await store.insert(table("polymarket_candles_1m"), [candle(tokenId(4))]);
  expect(await storeLate("token_days", [tokenDay(tokenId(4))])).toBe(1);
  expect(await rowOf(PRICED)).toMatchObject({ brier_to_date: expect.closeTo(0.04, 10) as number });
});

test("updates a closed market when the oracle answers more than a week after it closed", async () => {
  await store.insert(table("polymarket_candles_1m"), [candle(tokenId(6))]);
  expect(await storeLate("polymarket_resolutions", [resolution(RESOLVED)])).toBe(1);
  expect(await rowOf(RESOLVED)).toMatchObject({ brier_to_date: expect.closeTo(0.04, 10) as number });
});

test("uses the first of two resolutions, as the ledger does", async () => {
  const later = {
    ts: (NOW - 19 * 24 * HOUR) / 1000,
    tx_hash: hex(9002),
    payout_numerators: ["0", "1"],
    payouts: ["0", "1"],
  };
  expect(await storeLate("polymarket_resolutions", [{ ...resolution(RESOLVED), ...later }])).toBe(1);
  expect(await rowOf(RESOLVED)).toMatchObject({ brier_to_date: expect.closeTo(0.04, 10) as number });
});

test("omits prices after a resolution that came before the catalogue's end of trading", async () => {
  const [condition, resolved] = [hex(6), (CLOSED_AT - 2 * HOUR) / 1000];
  const before = { ...candle(tokenId(10)), minute: resolved - 60, close: "0.5" };
  await store.insert(table("polymarket_candles_1m"), [before, candle(tokenId(10))]);
  await store.insert(table("polymarket_markets"), [closed(5)]);
  const early = { ...resolution(condition), ts: resolved, tx_hash: hex(9003) };
  expect(await storeLate("polymarket_resolutions", [early])).toBe(1);
  expect(await rowOf(condition)).toMatchObject({ brier_to_date: expect.closeTo(0.25, 10) as number });
});

test("updates a closed market when the catalogue changes it", async () => {
  expect(await storeLate("polymarket_markets", [closed(4, { question: "Another question?" })])).toBe(1);
  expect(await rowOf(RENAMED)).toMatchObject({ question: "Another question?" });
});

test("uses the payout of a closed market only once it is final, not the price at which trading stopped", async () => {
  await store.insert(table("polymarket_candles_1m"), [candle(tokenId(8))]);
  expect(await storeLate("polymarket_markets", [closed(4, { payout_a: "1", side_a_price: "0.991" })])).toBe(1);
  expect(await rowOf(RENAMED)).toMatchObject({ brier_to_date: null });
  expect(await storeLate("polymarket_markets", [closed(4, { payout_a: "1", resolution_status: "resolved" })])).toBe(1);
  expect(await rowOf(RENAMED)).toMatchObject({ brier_to_date: expect.closeTo(0.04, 10) as number });
});
