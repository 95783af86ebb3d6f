import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fromDefinition } from "../../src/definition/sql.ts";
import { walletEntriesFromFills } from "../../src/derivations/wallet-entries.ts";
import { deriveDays } from "../../src/ingest/day/derive-days.ts";
import { hex, table } from "../fixtures/sample-rows.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openEngines } from "../ingest/open-engines.ts";
import * as made from "./closed-markets.ts";
import { liveFold } from "./live-fold.ts";
import { withoutWaits } from "../ingest/clocks.ts";

const { ANN, BOB, CAT, DAY, DISPUTED, HALVED, LAST_TRADE, REDEEMED, START, UNPLACED, WON, conditionOf } = made;
/** The tenth day. */
const NOW = (START + 9 * DAY + 3600) * 1000;
const MARKETS = [WON, HALVED, DISPUTED, LAST_TRADE];

let engines: Awaited<ReturnType<typeof openEngines>>;
let life: ReturnType<typeof liveFold>;
let query: ReturnType<typeof openTestQuery>;
let derivedAt: number | undefined;

/** Stores rows and waits until their wallets are computed. */
async function write(name: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  await life.write("test", { table: table(name), rows });
  await life.settle();
}

/** Stores tokens and reloads the dictionary immediately, which would otherwise take a second. */
async function writeTokens(rows: readonly Record<string, unknown>[]): Promise<void> {
  await life.write("test", { table: table("polymarket_tokens"), rows });
  await engines.store.run(fromDefinition("SYSTEM RELOAD DICTIONARY polymarket_token_info"));
}

/** Computes the entries of the days that changed since the last time, as a service does from time to time. */
async function deriveEntries(): Promise<void> {
  const began = Date.now();
  const clock = withoutWaits(Date.now);
  const run = { store: engines.store, clock, venueNow: () => NOW, signal: new AbortController().signal };
  await deriveDays(walletEntriesFromFills, derivedAt, run);
  derivedAt = began;
}

/** Decimals come as text. */
const NUMBERS = new Set(["mark", "realized_pnl", "price", "shares", "usd"]);
const ask = async (agentId: number, params: Readonly<Record<string, string>>) =>
  (await query.rows(agentId, { params })).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, NUMBERS.has(name) ? Number(value) : value])),
  );
const positionOf = async (index: number, wallet = ANN) => {
  const rows = await ask(1001, { proxy_wallet: wallet, status: "ALL", condition_id: conditionOf(index) });
  return rows.length === 1 ? rows[0] : rows;
};
const entries = async () => {
  await deriveEntries();
  return engines.store.rows(
    fromDefinition(
      "SELECT toString(day) AS day, lower(hex(wallet)) AS wallet, toString(payout) AS payout FROM wallet_entries FINAL WHERE NOT is_gone ORDER BY day, payout, wallet",
    ),
  );
};
const ann = ANN.slice(2);
const profile = async (wallet: string) => (await ask(581, { proxy_wallet: wallet, window_days: "all" }))[0];
const resolutions = (wallet: string) => ask(1002, { proxy_wallet: wallet, kind: "resolution" });

beforeAll(async () => {
  engines = await openEngines();
  life = liveFold(engines, () => NOW);
  query = openTestQuery(engines.store, () => NOW);
  await writeTokens(made.names());
  await write("polymarket_fills", [...MARKETS.map((index) => made.bought(index, ANN)), made.bought(DISPUTED, BOB)]);
});
afterAll(async () => {
  await life.stop();
  await engines.close();
});

describe("a market resolved by the catalogue", () => {
  test("leaves positions open while the catalogue reports no final result", async () => {
    await write("polymarket_markets", [made.said(DISPUTED), made.said(LAST_TRADE)]);
    for (const index of MARKETS) expect(await positionOf(index)).toMatchObject({ status: "open" });
    expect(await resolutions(ANN)).toEqual([]);
    expect(await entries()).toEqual([]);
    expect(await profile(ANN)).toMatchObject({ pnl_status: "exact" });
  });

  test("pays the catalogue's payouts from the end of trading, with an estimated profit", async () => {
    await write("polymarket_markets", [made.said(WON), made.said(HALVED)]);
    expect(await positionOf(WON)).toMatchObject({ status: "redeemable", mark: 1, realized_pnl: 60 });
    expect(await positionOf(HALVED)).toMatchObject({ status: "redeemable", mark: 0.5, realized_pnl: 10 });
    for (const index of [DISPUTED, LAST_TRADE]) expect(await positionOf(index)).toMatchObject({ status: "open" });
    const found = await resolutions(ANN);
    const row = { timestamp: "2026-11-03T12:00:00Z", transaction_hash: `0x${"0".repeat(64)}`, block_number: null };
    expect(found).toHaveLength(2);
    for (const one of found) expect(one).toMatchObject({ ...row, shares: 0, usd: 0 });
    expect(new Set(found.map(({ price }) => price))).toEqual(new Set([1, 0.5]));
    expect(await entries()).toEqual([
      { day: "2026-11-03", wallet: ann, payout: "0.5" },
      { day: "2026-11-03", wallet: ann, payout: "1" },
    ]);
    expect(await profile(ANN)).toMatchObject({ total_pnl: 70, pnl_status: "estimated" });
    expect(await profile(BOB)).toMatchObject({ pnl_status: "exact" });
    expect((await ask(1005, { proxy_wallet: ANN }))[0]).toMatchObject({ total_n: 2, base_rate: 0.75 });
  });

  test.each([
    ["later", 4, "2026-11-05"],
    ["again", 4, "2026-11-05"],
  ])("is resolved by the chain instead, without doubling (%s)", async (_when, day, on) => {
    await write("polymarket_resolutions", [made.reported(WON, day)]);
    expect(await positionOf(WON)).toMatchObject({ status: "redeemable", mark: 0, realized_pnl: -40 });
    const found = await resolutions(ANN);
    expect(found).toHaveLength(2);
    expect(found[0]).toMatchObject({ timestamp: `${on}T12:00:00Z`, price: 0, block_number: 77 });
    expect(await entries()).toEqual([
      { day: "2026-11-03", wallet: ann, payout: "0.5" },
      { day: on, wallet: ann, payout: "0" },
    ]);
    expect(await profile(ANN)).toMatchObject({ total_pnl: -30, pnl_status: "estimated" });
  });

  test("counts an earlier resolution of the chain from its time; profits from the chain alone are exact", async () => {
    await write("polymarket_resolutions", [made.reported(HALVED, 1)]);
    expect(await positionOf(HALVED)).toMatchObject({ mark: 0, realized_pnl: -40 });
    expect((await resolutions(ANN)).map(({ timestamp }) => timestamp)).toEqual([
      "2026-11-05T12:00:00Z",
      "2026-11-02T12:00:00Z",
    ]);
    expect(await profile(ANN)).toMatchObject({ total_pnl: -80, pnl_status: "exact" });
  });

  test("is open again if the catalogue retracts the result", async () => {
    const at = { resolution_status: "resolved", payout_a: "1", side_a_price: "1" };
    await write("polymarket_markets", [made.closed(DISPUTED, at)]);
    expect(await positionOf(DISPUTED, BOB)).toMatchObject({ status: "redeemable", realized_pnl: 60 });
    await write("polymarket_markets", [made.said(DISPUTED)]);
    expect(await positionOf(DISPUTED, BOB)).toMatchObject({ status: "open", realized_pnl: 0 });
    expect(await profile(BOB)).toMatchObject({ total_pnl: 0, pnl_status: "exact" });
  });
});

describe("a market resolved by the chain", () => {
  test("settles a holding once its outcome is known, from the day of the resolution", async () => {
    await write("polymarket_fills", [made.bought(UNPLACED, BOB)]);
    await write("polymarket_resolutions", [made.reported(UNPLACED, 1)]);
    expect(await positionOf(UNPLACED, BOB)).toMatchObject({ status: "open", realized_pnl: 0 });
    await writeTokens(made.namesOf(UNPLACED));
    await write("polymarket_markets", [made.closed(UNPLACED, { resolution_status: "resolved", payout_a: "0" })]);
    expect(await positionOf(UNPLACED, BOB)).toMatchObject({ status: "redeemable", realized_pnl: -40 });
    expect((await resolutions(BOB)).map(({ timestamp }) => timestamp)).toEqual(["2026-11-02T12:00:00Z"]);
  });

  test("settles a holding likewise that was redeemed before its outcome was known", async () => {
    await write("polymarket_fills", [made.bought(REDEEMED, CAT)]);
    await write("polymarket_resolutions", [made.reported(REDEEMED, 1, ["1", "0"])]);
    await write("polymarket_position_changes", [made.redeemed(REDEEMED, CAT, 3)]);
    expect(await resolutions(CAT)).toEqual([]);
    await writeTokens(made.namesOf(REDEEMED));
    await write("polymarket_markets", [made.closed(REDEEMED, { resolution_status: "resolved", payout_a: "1" })]);
    expect((await resolutions(CAT)).map(({ timestamp }) => timestamp)).toEqual(["2026-11-02T12:00:00Z"]);
    const then = await ask(581, { proxy_wallet: CAT, window_days: "all", as_of: "2026-11-02" });
    expect(then).toMatchObject([{ total_pnl: 60, winning_trades: 1 }]);
    expect(await profile(CAT)).toMatchObject({ total_pnl: 60, winning_trades: 1, pnl_status: "exact" });
  });

  test("counts no purchase after the result as a forecast, even if the token was held before", async () => {
    const forecasts = async () => {
      await deriveEntries();
      return (await ask(1005, { proxy_wallet: ANN }))[0]?.["total_n"];
    };
    expect(await forecasts()).toBe(2);
    const after = { ts: START + 4 * DAY + DAY / 2 + 3600, tx_hash: hex(700), order_hash: hex(701) };
    await write("polymarket_fills", [made.bought(WON, ANN, after)]);
    expect(await profile(ANN)).toMatchObject({ total_buy_trades: 5 });
    expect(await forecasts()).toBe(2);
  });
});
