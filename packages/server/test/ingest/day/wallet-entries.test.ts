import { afterAll, beforeAll, expect, test } from "vitest";
import { bind, sql } from "../../../src/definition/sql.ts";
import { walletEntriesFromFills } from "../../../src/derivations/wallet-entries.ts";
import { deriveDays } from "../../../src/ingest/day/derive-days.ts";
import { polymarketFills } from "../../../src/tables/polymarket-fills.ts";
import { polymarketMarkets } from "../../../src/tables/polymarket-markets.ts";
import { polymarketResolutions } from "../../../src/tables/polymarket-resolutions.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { fill, hex, market, tokenId } from "../../fixtures/sample-rows.ts";
import { manualClock } from "../manual-clock.ts";

const WALLET = hex(7, 40);
const OTHER = hex(8, 40);
const resolved = (condition_id: string, ts: string) => ({
  ts,
  tx_hash: hex(900),
  log_index: 1,
  condition_id,
  oracle: hex(1, 40),
  question_id: hex(1),
  payout_numerators: ["1", "0"],
  payouts: ["1", "0"],
  block_number: 1,
});
let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
  await store.insert(polymarketMarkets, [market(0, { end_date: "2026-05-10T12:00:00Z" })]);
  await store.insert(polymarketResolutions, [resolved(hex(1), "2026-05-10T12:00:00Z")]);
  const bought = { wallet: WALLET, side: "BUY", token_id: tokenId(0), fee_usd: "0" };
  await store.insert(polymarketFills, [
    // Two buys within an hour: one entry at (40 + 22) / 150.
    fill(0, { ...bought, ts: "2026-05-01T10:05:00Z", shares: "100", usd: "40", fee_usd: "0.5", role: "taker" }),
    fill(2, { ...bought, ts: "2026-05-01T10:45:00Z", shares: "50", usd: "22", fee_usd: "0.25", role: "maker" }),
    // Above 0.95: no entry, but bought.
    fill(4, { ...bought, ts: "2026-05-09T20:00:00Z", shares: "10", usd: "9.7", role: "taker" }),
    // Another wallet sells the other outcome the day after, and buys in the closing window.
    fill(6, {
      wallet: OTHER,
      ts: "2026-05-01T20:00:00Z",
      shares: "10",
      usd: "5.5",
      side: "SELL",
      token_id: tokenId(1),
    }),
    fill(8, { wallet: OTHER, ts: "2026-05-08T20:00:00Z", shares: "10", usd: "6", side: "BUY", token_id: tokenId(0) }),
    // After the resolution.
    fill(10, { ...bought, ts: "2026-05-10T13:00:00Z", shares: "10", usd: "5" }),
  ]);
});
afterAll(() => store.close());

const run = (): Parameters<typeof deriveDays>[2] => ({
  store,
  clock: manualClock(Date.parse("2026-05-20T00:00:00Z")),
  signal: new AbortController().signal,
});
/** Rows by wallet, with the columns that only the table has. */
const read = () =>
  store.rows<Record<string, unknown>>(
    sql`SELECT c.* EXCEPT (version, wallet, token_id, event_key), concat('0x', lower(hex(c.wallet))) AS wallet, concat('0x', lower(hex(e.condition_id))) AS condition_id FROM (SELECT * FROM wallet_entries_by_wallet FINAL WHERE NOT is_gone) AS c INNER JOIN (SELECT * FROM wallet_entries FINAL WHERE NOT is_gone) AS e USING (wallet, day, token_id) ORDER BY c.wallet`,
  );

test("merges an hour's buys into one entry, priced against payout, closing price and the following day", async () => {
  expect(await deriveDays(walletEntriesFromFills, undefined, run())).toBe(1);
  const row = (await read()).find(({ wallet }) => wallet === WALLET);
  expect(row).toMatchObject({
    day: "2026-05-10",
    shares: "160",
    bought_usd: "71.7",
    condition_id: hex(1),
    entries: 1,
    // 62 / 150, truncated to six places.
    edge_sum: "0.586667",
    cost_sum: "0.015",
    variance_sum: "0.242488",
    // The day before the deadline: 2026-05-08 12:00 to 2026-05-09 12:00, with one trade at 0.60.
    clv_entries: 1,
    clv_sum: "0.186667",
    // The other outcome sold at 0.55: 0.45 for this one, 0.036667 above the price.
    later_entries: 1,
    later_sum: "0.036667",
    later_edge_sum: "0.586667",
  });
});

test("a rerun leaves the same rows, and rows no longer derived are retracted", async () => {
  const first = await read();
  await deriveDays(walletEntriesFromFills, undefined, run());
  expect(await read()).toEqual(first);
  await store.run(sql`ALTER TABLE polymarket_fills_by_token DELETE WHERE usd = 6`, { mutations_sync: 2 });
  await deriveDays(walletEntriesFromFills, undefined, run());
  expect((await read()).map(({ wallet }) => wallet)).toEqual([WALLET]);
  expect((await read())[0]).toMatchObject({ clv_entries: 0, clv_sum: "0" });
});

test("derives only the current day and the one before if nothing was stored since", async () => {
  expect(await deriveDays(walletEntriesFromFills, Date.now() + 60_000, run())).toBe(2);
  expect((await read()).map(({ wallet }) => wallet)).toEqual([WALLET]);
});

test("a rerun writes no row again and restores rows that a copy lacks", async () => {
  const newest = async () =>
    (await store.rows<{ last: string }>(sql`SELECT toString(max(version)) AS last FROM wallet_entries`))[0]?.last;
  await deriveDays(walletEntriesFromFills, undefined, run());
  const [rows, version] = [await read(), await newest()];
  await deriveDays(walletEntriesFromFills, undefined, run());
  expect(await newest()).toBe(version);
  await store.run(sql`TRUNCATE TABLE wallet_entries_by_wallet`);
  await deriveDays(walletEntriesFromFills, undefined, run());
  expect(await newest()).not.toBe(version);
  expect(await read()).toEqual(rows);
});

test("for a market resolved before its event began, the close is a day before the resolution", async () => {
  const wallet = hex(9, 40);
  const starts = { event_start: "2026-05-12T18:00:00Z", end_date: "2026-05-14T00:00:00Z" };
  await store.insert(polymarketMarkets, [market(2, starts)]);
  await store.insert(polymarketResolutions, [resolved(hex(3), "2026-05-11T12:00:00Z")]);
  const bought = { wallet: OTHER, side: "BUY", token_id: tokenId(4), fee_usd: "0", shares: "10" };
  await store.insert(polymarketFills, [
    fill(20, { ...bought, wallet, ts: "2026-05-08T10:00:00Z", usd: "5" }),
    fill(22, { ...bought, ts: "2026-05-10T06:00:00Z", usd: "6" }),
    // The event was already called off.
    fill(24, { ...bought, ts: "2026-05-11T08:00:00Z", usd: "9.9" }),
  ]);
  await deriveDays(walletEntriesFromFills, undefined, run());
  const row = (await read()).find((one) => one["wallet"] === wallet);
  expect(row).toMatchObject({ day: "2026-05-11", clv_entries: 1, clv_sum: "0.1" });
});

const daysOfToken = async (token: string): Promise<string[]> => {
  const rows = await store.rows<{ day: string }>(
    sql`SELECT DISTINCT toString(day) AS day FROM wallet_entries FINAL WHERE NOT is_gone AND token_id = toUInt256(${bind("String", token)})`,
  );
  return rows.map(({ day }) => day);
};

test("a condition resolved on several days counts on the first, also if that is stored last", async () => {
  for (const [again, counts] of [
    ["2026-05-12T12:00:00Z", "2026-05-11"],
    ["2026-05-10T23:00:00Z", "2026-05-10"],
  ] as const) {
    const since = Date.now();
    await store.insert(polymarketResolutions, [resolved(hex(3), again)]);
    await deriveDays(walletEntriesFromFills, since, run());
    expect(await daysOfToken(tokenId(4))).toEqual([counts]);
  }
});
