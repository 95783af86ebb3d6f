import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fromDefinition } from "../../src/definition/sql.ts";
import { calibrationPricesFromResolutions } from "../../src/derivations/calibration/calibration-prices.ts";
import { deriveDays } from "../../src/ingest/day/derive-days.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { hex, kalshiTrade, market, table, tokenId } from "../fixtures/sample-rows.ts";
import { held } from "./held.ts";
import { withoutWaits } from "../ingest/clocks.ts";

const HOUR = 3600;
const END = Date.UTC(2026, 10, 20, 12) / 1000;

let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;
const ask = (params: Readonly<Record<string, string>>) => query.rows(1005, { params });
const total = async (params: Readonly<Record<string, string>>) => (await ask(params))[0]?.["total_n"];
const at = (venue: string, horizon_hours: number, price: string, n: number, paid: string) => ({
  venue,
  horizon_hours,
  price,
  n,
  paid,
});
const category = (index: number) => (index < 6 ? "Sports / Tennis" : "Politics");
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

const candle = (index: number, hoursBefore: number, close: string) => ({
  token_id: tokenId(2 * index),
  minute: END - hoursBefore * HOUR,
  ...Object.fromEntries(["open", "high", "low", "close", "price_sum"].map((name) => [name, close])),
  volume: "1",
  volume_usd: close,
  trade_count: 1,
});

const resolution = (index: number, payouts: readonly string[]) => ({
  ts: END + 2 * HOUR,
  tx_hash: hex(900 + index),
  log_index: 1,
  condition_id: hex(index + 1),
  oracle: hex(1, 40),
  question_id: hex(3),
  payout_numerators: payouts.map((payout) => String(2 * Number(payout))),
  payouts,
  block_number: 1,
});

const kalshiMarket = {
  ticker: "KXMARS-1",
  event_ticker: "KXMARS",
  series_ticker: "",
  title: "Mars",
  status: "finalized",
  result: "yes",
  settlement_value: "1",
  ...Object.fromEntries(["last_price", "yes_bid", "yes_ask"].map((name) => [name, null])),
  ...Object.fromEntries(["volume", "volume_24h", "open_interest"].map((name) => [name, "0"])),
  open_time: null,
  close_time: iso(END + 5 * HOUR),
  expiration_time: null,
  created_time: null,
  settled_time: iso(END),
  category: "",
  market_type: "binary",
  updated_at: iso(END),
};

const NOT_STOPPED = new AbortController().signal;
const stored = () =>
  store.rows(
    fromDefinition("SELECT * EXCEPT (version, content) FROM calibration_prices FINAL WHERE NOT is_gone ORDER BY ALL"),
  );
const work = () =>
  deriveDays(calibrationPricesFromResolutions, undefined, {
    store,
    clock: withoutWaits(() => Date.parse("2026-11-30T00:00:00Z")),
    signal: NOT_STOPPED,
  });

async function fillStore(): Promise<void> {
  await store.insert(
    table("polymarket_markets"),
    Array.from({ length: 10 }, (_, index) =>
      market(index, { category: category(index), end_date: iso(END), closed_date: iso(END + HOUR) }),
    ),
  );
  await store.insert(
    table("polymarket_tokens"),
    Array.from({ length: 20 }, (_, index) => ({
      token_id: tokenId(index),
      condition_id: hex((index >> 1) + 1),
      outcome_index: index & 1,
      outcome: "",
      slug: "",
    })).concat({ token_id: tokenId(90), condition_id: hex(1), outcome_index: 255, outcome: "", slug: "" }),
  );
  // Six of seven at 0.82 come true, one at 0.1 does, one is paid by half; the market of index 9 is unresolved.
  const payouts = ["1", "1", "1", "1", "1", "1", "0", "1", "0.5"];
  await store.insert(
    table("polymarket_resolutions"),
    // The first is reported again two days later: the first report counts.
    payouts
      .map((payout, index) => resolution(index, [payout, String(1 - Number(payout))]))
      .concat({ ...resolution(0, ["0", "1"]), ts: END + 50 * HOUR, tx_hash: hex(950) }),
  );
  await store.insert(table("polymarket_candles_1m"), [
    ...[0, 1, 2, 3, 4, 5, 6].map((index) => candle(index, 25, "0.82")),
    ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => candle(index, 0.5, "0.999")),
    candle(7, 30, "0.1"),
    candle(8, 200, "0.1"),
    candle(9, 30, "0.1"),
  ]);
  await store.insert(table("kalshi_markets"), [kalshiMarket]);
  await store.insert(table("kalshi_trades"), [
    { ...kalshiTrade(0), created_time: iso(END - 24 * HOUR), yes_price: "1.0" },
    { ...kalshiTrade(1), created_time: iso(END - 24 * HOUR + 1), yes_price: "0.5" },
    // The last of the same time, in the order of the tape.
    { ...kalshiTrade(2), created_time: iso(END - 24 * HOUR + 1), yes_price: "0.3" },
  ]);
  await store.insert(table("wallet_token_days"), [
    held(1, tokenId(0), "0", "0", { shares_bought: "10", bought_usd: "4" }),
    held(1, tokenId(1), "0", "0", { shares_bought: "10", bought_usd: "3", day: "2026-11-18" }),
    held(1, tokenId(18), "0", "0", { shares_bought: "10", bought_usd: "3", condition_id: hex(10) }),
    // Bought an hour after the result.
    held(1, tokenId(0), "0", "0", {
      shares_bought: "10",
      bought_usd: "9.9",
      day: "2026-11-20",
      first_at: END + 3 * HOUR,
    }),
    // It was held when the result came.
    held(1, tokenId(1), "0", "0", {
      shares_bought: "10",
      bought_usd: "9.9",
      day: "2026-11-20",
      first_at: END + 2 * HOUR,
    }),
    held(3, tokenId(90), "0", "0", { shares_bought: "10", bought_usd: "4" }),
    held(2, tokenId(1), "0", "0", { shares_bought: "10", bought_usd: "3" }),
  ]);
}

beforeAll(async () => {
  store = await openTestStore();
  await fillStore();
  await work();
  query = openTestQuery(store, () => (END + 24 * HOUR) * 1000);
});
afterAll(() => store.close());

describe("calibration", () => {
  test("takes the last price at each horizon before the earliest end", async () => {
    const rows = await store.rows(
      fromDefinition(
        "SELECT venue, horizon_hours, toString(price) AS price, toUInt32(count()) AS n, toString(sum(payout)) AS paid FROM calibration_prices FINAL WHERE NOT is_gone GROUP BY ALL ORDER BY ALL",
      ),
    );
    expect(rows).toEqual([
      at("polymarket", 1, "0.1", 2, "1.5"),
      at("polymarket", 1, "0.82", 7, "6"),
      at("polymarket", 24, "0.1", 2, "1.5"),
      at("polymarket", 24, "0.82", 7, "6"),
      at("polymarket", 168, "0.1", 1, "0.5"),
      at("kalshi", 1, "0.3", 1, "1"),
      at("kalshi", 24, "1", 1, "1"),
    ]);
  });

  test("bins prices with the observed outcomes, Wilson's interval and the parts of the Brier score", async () => {
    const rows = await ask({ venue: "polymarket" });
    // 0.1 twice, paid 1 and 0.5; 0.82 seven times, paid six times.
    const brier = (0.81 + 0.16 + 6 * 0.18 ** 2 + 0.82 ** 2) / 9;
    const base = 7.5 / 9;
    const shared = {
      total_n: 9,
      base_rate: expect.closeTo(base, 10) as number,
      brier: expect.closeTo(brier, 10) as number,
      reliability: expect.closeTo((2 * 0.65 ** 2 + 7 * (6 / 7 - 0.82) ** 2) / 9, 10) as number,
      resolution: expect.closeTo((2 * (0.75 - base) ** 2 + 7 * (6 / 7 - base) ** 2) / 9, 10) as number,
      uncertainty: expect.closeTo(7.25 / 9 - base ** 2, 10) as number,
      // All prices within a bin are equal here.
      within_bins: expect.closeTo(0, 10) as number,
    };
    expect(rows).toEqual([
      {
        ...shared,
        bin: 1,
        price_from: 0.1,
        price_to: 0.2,
        n: 2,
        status: "insufficient_sample",
        mean_price: 0.1,
        observed: null,
        observed_low: null,
        observed_high: null,
      },
      // Wilson's interval of 6 of 7.
      {
        ...shared,
        bin: 8,
        price_from: 0.8,
        price_to: 0.9,
        n: 7,
        status: "ok",
        mean_price: expect.closeTo(0.82, 10) as number,
        observed: expect.closeTo(6 / 7, 10) as number,
        observed_low: expect.closeTo(0.486869, 5) as number,
        observed_high: expect.closeTo(0.974322, 5) as number,
      },
    ]);
  });

  test("puts a price of 1 into the last bin, and narrows bins as their number grows", async () => {
    expect(await ask({ venue: "kalshi" })).toMatchObject([{ bin: 9, price_to: 1, mean_price: 1 }]);
    expect(await ask({ venue: "polymarket", bins: "50" })).toMatchObject([{ bin: 5 }, { bin: 41, price_from: 0.82 }]);
  });

  test("filters by venue, category, horizon and day", async () => {
    expect(await total({})).toBe(10);
    expect(await total({ category: "sports" })).toBe(6);
    expect(await total({ horizon: "7d" })).toBe(1);
    expect(await total({ from_day: "2026-11-21" })).toBeUndefined();
    expect(await total({ as_of: "2026-11-19" })).toBeUndefined();
  });

  test.each([
    ["venue", "polymarket"],
    ["category", "Sports"],
    ["from_day", "2026-11-18"],
    ["horizon", "24h"],
  ])("refuses %s for a wallet's buys, to which it does not apply", async (filter, value) => {
    const proxy_wallet = hex(1, 40);
    await expect(ask({ proxy_wallet, [filter]: value })).rejects.toMatchObject({ code: "INVALID_PARAMS" });
    expect(await ask({ proxy_wallet, [filter]: filter === "horizon" ? "" : "ALL" })).toEqual(
      await ask({ proxy_wallet }),
    );
  });

  test("counts a wallet's buys as one forecast per token and day, and omits unresolved ones", async () => {
    expect(await ask({ proxy_wallet: hex(1, 40) })).toMatchObject([
      { bin: 3, n: 1, mean_price: 0.3, total_n: 2, brier: expect.closeTo((0.6 ** 2 + 0.3 ** 2) / 2, 10) as number },
      { bin: 4, n: 1, mean_price: 0.4 },
    ]);
    expect(await ask({ proxy_wallet: hex(1, 40), as_of: "2026-11-19" })).toEqual([]);
    // The payout is unknown for a token whose outcome index is unknown.
    expect(await ask({ proxy_wallet: hex(3, 40) })).toEqual([]);
  });
});

test("computes days without stored rows together, with the same result as recomputing each day alone", async () => {
  const another = { ...resolution(0, ["0", "1"]), ts: END + 50 * HOUR, condition_id: hex(10) };
  await store.insert(table("polymarket_resolutions"), [another]);
  await store.run(fromDefinition("TRUNCATE TABLE calibration_prices"));
  expect(await work()).toBe(2);
  const together = await stored();
  expect(new Set(together.map((row) => row["day"])).size).toBe(2);
  const versions = () => store.rows(fromDefinition("SELECT DISTINCT version FROM calibration_prices ORDER BY version"));
  const written = await versions();
  await work();
  expect(await versions()).toEqual(written);
  // An extra row on each day causes the entire day to be recomputed.
  await store.run(
    fromDefinition(
      "INSERT INTO calibration_prices SELECT * REPLACE ('spoilt' AS market, version + 1 AS version) FROM calibration_prices ORDER BY market LIMIT 1 BY day",
    ),
  );
  expect(await stored()).not.toEqual(together);
  await work();
  expect(await stored()).toEqual(together);
});
