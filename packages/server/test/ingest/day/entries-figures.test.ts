import { afterAll, beforeAll, expect, test } from "vitest";
import { bind, sql, type Sql } from "../../../src/definition/sql.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { walletEntriesFromFills } from "../../../src/derivations/wallet-entries.ts";
import { deriveDays } from "../../../src/ingest/day/derive-days.ts";
import { polymarketFills } from "../../../src/tables/polymarket-fills.ts";
import { polymarketMarkets } from "../../../src/tables/polymarket-markets.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { fill, hex, market, tokenId } from "../../fixtures/sample-rows.ts";
import { manualClock } from "../manual-clock.ts";

const START = Date.parse("2026-05-01T00:00:00Z") / 1000;
const WALLETS = 4;
const MARKETS = 4;
const ROLES = ["maker", "taker", "unknown"];

/** Returns the same numbers in every run, each from 0 up to but excluding `below`. */
function numbers(): (below: number) => number {
  let state = 12_345;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const decimal = (micros: bigint): string => `${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, "0")}`;

/** Legs over nine days, more than remain after the resolutions; the last market's amounts exceed exact doubles. */
function legs(): InsertRow[] {
  const next = numbers();
  return Array.from({ length: 1200 }, (_, index) => {
    const which = next(MARKETS);
    const size = which === MARKETS - 1 ? 10_000_000_007n : 13n;
    const shares = BigInt(1 + next(1_000_000)) * size;
    // Includes the lowest and the highest price that count.
    const price = BigInt([50_000, 950_000, 50_001, 20_000 + next(960_000), 20_000 + next(960_000)][next(5)] ?? 0);
    const usd = (shares * price) / 1_000_000n;
    return fill(index, {
      tx_hash: hex(index),
      ts: START + next(216) * 3600 + next(3) * 1800 - next(2),
      wallet: hex(1 + next(WALLETS), 40),
      token_id: tokenId(2 * which + next(2)),
      side: next(3) === 0 ? "SELL" : "BUY",
      role: ROLES[next(3)],
      shares: decimal(shares),
      usd: decimal(usd),
      fee_usd: decimal(next(2) === 0 ? 0n : usd / 70n),
    });
  });
}

/** Each is resolved by the catalogue, two on one day; with event start, deadline, own tick or half-half result. */
const markets = (): InsertRow[] => {
  const closed = { closed: true, resolution_status: "resolved" };
  return [
    market(0, { ...closed, closed_date: "2026-05-07T10:30:00Z", event_start: "2026-05-07T08:00:00Z", payout_a: "1" }),
    market(1, { ...closed, closed_date: "2026-05-08T00:00:00Z", end_date: "2026-05-06T12:00:00Z", payout_a: "0.5" }),
    market(2, { ...closed, closed_date: "2026-05-08T23:59:59Z", tick_size: null, event_slug: "", payout_a: "0" }),
    market(3, { ...closed, closed_date: "2026-05-09T01:00:00Z", tick_size: "0.001", payout_a: "0" }),
  ];
};

const wallet = (number: number): Sql => sql`unhex(${bind("String", hex(number, 40).slice(2))})`;

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
  await store.insert(polymarketMarkets, markets());
  await store.insert(polymarketFills, legs());
  const clock = manualClock(Date.parse("2026-05-20T00:00:00Z"));
  await deriveDays(walletEntriesFromFills, undefined, { store, clock, signal: new AbortController().signal });
});
afterAll(() => store.close());

/** One line per row, with the token as its number. */
const read = async (where: Sql): Promise<string[]> => {
  const statement = sql`SELECT toDayOfMonth(day), reinterpretAsUInt8(substring(wallet, 20)), toUInt8(token_id % 100), payout, shares, bought_usd,
  entries, edge_sum, cost_sum, variance_sum, clv_entries, clv_sum, later_entries, later_sum, later_edge_sum, later_cost_sum, later_variance_sum
  FROM wallet_entries FINAL WHERE NOT is_gone AND ${where} ORDER BY day, wallet, token_id`;
  const text = (await store.read(statement, { format: "TSV" })).toString("utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => line.replaceAll("\t", " "));
};

test("computes the figures of entries exactly to the last digit", async () => {
  expect(await read(sql`wallet = ${wallet(1)} AND day < '2026-05-09'`)).toMatchInlineSnapshot(`
    [
      "7 1 0 1 161.58038 66.522281 11 3.213454 0.135183 1.547078 10 -2.426398 10 -0.67754 2.464532 0.125183 1.359041",
      "7 1 1 0 126.602242 33.39263 7 -3.961061 0.082719 1.243881 7 -0.537417 7 0.005452 -3.961061 0.082719 1.243881",
      "8 1 2 0.5 126.955192 63.609257 12 -2.307745 0.167324 1.479809 8 -0.325788 12 -0.413005 -2.307745 0.167324 1.479809",
      "8 1 3 0.5 117.516035 69.582759 14 -3.689957 0.197311 1.489552 6 -2.754071 14 -1.050417 -3.689957 0.197311 1.489552",
      "8 1 4 0 163.118566 67.795114 17 -11.059691 0.258819 2.56282 14 -0.405341 17 -0.466772 -11.059691 0.258819 2.56282",
      "8 1 5 1 178.816339 61.173826 13 5.456493 0.188206 2.036784 10 -1.513054 13 -0.107411 5.456493 0.188206 2.036784",
    ]
  `);
});

test("computes figures exactly for amounts beyond the exact integers of doubles", async () => {
  expect(await read(sql`day = '2026-05-09'`)).toMatchInlineSnapshot(`
    [
      "9 1 6 0 137398150096.178705 69356063371.109231 18 -14.133553 0.074969 2.43376 17 -5.692356 18 -1.272062 -14.133553 0.074969 2.43376",
      "9 1 7 1 163913860114.739702 54675810834.423056 17 7.038146 0.085323 2.759238 10 -1.34152 17 -0.309854 7.038146 0.085323 2.759238",
      "9 2 6 0 129452430090.616701 31856944140.729848 12 -6.183828 0.046502 2.119997 11 -0.855253 12 -0.081421 -6.183828 0.046502 2.119997",
      "9 2 7 1 144808140101.365698 77286670707.060653 21 6.356318 0.154886 2.568717 16 -2.121917 20 -0.811536 5.831081 0.153886 2.319354",
      "9 3 6 0 55850160039.095112 18873172697.511213 6 -4.217835 0.026207 0.913177 6 -1.558047 6 -0.049081 -4.217835 0.026207 0.913177",
      "9 3 7 1 73940510051.758357 26937073354.445943 9 3.709084 0.029689 1.336727 6 -0.133371 9 -0.10723 3.709084 0.029689 1.336727",
      "9 4 6 0 137959610096.571727 81392454811.234704 18 -13.510237 0.143371 2.501509 16 -4.672906 18 -1.420286 -13.510237 0.143371 2.501509",
      "9 4 7 1 136736310095.715417 43778405501.084871 12 4.249142 0.029325 1.992485 10 -1.460683 12 -0.438854 4.249142 0.029325 1.992485",
    ]
  `);
});

test("takes the values that rows of a token share from the catalogue", async () => {
  const found = await store.rows(
    sql`SELECT toUInt8(token_id % 100) AS token, count() AS n, lower(hex(any(condition_id))) AS condition, any(event_key) AS event_key, any(category) AS category FROM wallet_entries FINAL GROUP BY token ORDER BY token`,
  );
  expect(found.map((row) => Object.values(row).join(" "))).toMatchInlineSnapshot(`
    [
      "0 4 0000000000000000000000000000000000000000000000000000000000000001 7511642847157964948 Weather / Rain",
      "1 4 0000000000000000000000000000000000000000000000000000000000000001 7511642847157964948 Weather / Rain",
      "2 4 0000000000000000000000000000000000000000000000000000000000000002 7511642847157964948 Weather / Rain",
      "3 4 0000000000000000000000000000000000000000000000000000000000000002 7511642847157964948 Weather / Rain",
      "4 4 0000000000000000000000000000000000000000000000000000000000000003 8526199468880986774 Weather / Rain",
      "5 4 0000000000000000000000000000000000000000000000000000000000000003 8526199468880986774 Weather / Rain",
      "6 4 0000000000000000000000000000000000000000000000000000000000000004 7511642847157964948 Weather / Rain",
      "7 4 0000000000000000000000000000000000000000000000000000000000000004 7511642847157964948 Weather / Rain",
    ]
  `);
});
