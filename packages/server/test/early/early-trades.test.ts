import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bind, fromDefinition, sql } from "../../src/definition/sql.ts";
import { composeCount } from "../../src/query/compose.ts";
import { polymarketTrades } from "../../src/datasets/polymarket-trades.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { polymarketEarlyFills } from "../../src/tables/polymarket-early-fills.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { polymarketTokens } from "../../src/tables/polymarket-tokens.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { hex, tokenId } from "../fixtures/sample-rows.ts";
import { START, legOf, legOfStored, read, told } from "./told-trades.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => (store = await openTestStore()));
afterAll(() => store.close());
beforeEach(async () => {
  const everywhere = [polymarketEarlyFills.name, polymarketFills.name, ...Object.keys(polymarketFills.copies ?? {})];
  for (const name of everywhere) await store.run(fromDefinition(`TRUNCATE TABLE ${name}`));
});

type Params = Readonly<Record<string, string>>;
const ask = (params: Params = {}, now?: () => number) => openTestQuery(store, now).rows(556, { params });
const early = (trades: readonly number[]) =>
  store.insert(
    polymarketEarlyFills,
    trades.flatMap((trade) => told(trade)),
  );
const whole = (trades: readonly number[]) =>
  store.insert(
    polymarketFills,
    trades.flatMap((trade) => read(trade)),
  );

describe("an early trade", () => {
  test("is answered at once, without a block, in its place among the stored ones", async () => {
    await whole([1, 3]);
    const query = openTestQuery(store);
    expect(await query.rows(556)).toHaveLength(4);
    await early([2, 5]);
    const rows = await query.rows(556);
    expect(rows.map((row) => [row["transaction_hash"], row["block_number"]])).toEqual(
      [5, 5, 3, 3, 2, 2, 1, 1].map((trade) => [
        hex(1_000_000 + trade),
        trade % 2 === 1 && trade < 5 ? 500 + trade : null,
      ]),
    );
    expect(rows[0]).toMatchObject({ size: 15, usd: 7.5, price: 0.5, fee_usd: 0 });
    expect(new Set(rows.slice(0, 2).map((row) => row["role"]))).toEqual(new Set(["unknown", "taker"]));
    expect(await store.rows(sql`SELECT count() AS n FROM polymarket_fills WHERE source = 'rtds'`)).toEqual([
      { n: "0" },
    ]);
  });

  test("gives way with all its legs to whatever is stored of its transaction, in every format", async () => {
    await early([1, 2]);
    await whole([2]);
    await store.insert(polymarketFills, read(1, { more: { block_number: 0, source: "data_api_v2" } }).slice(0, 1));
    const query = openTestQuery(store);
    expect((await query.rows(556)).map(legOf).toSorted()).toEqual(
      [...read(2), ...read(1).slice(0, 1)].map(legOfStored).toSorted(),
    );
    const csv = await query.answer(556, { format: "csv" });
    expect(csv.body.toString("utf8").trim().split("\n")).toHaveLength(1 + 3);
  });

  test("that comes after its successor is not shown", async () => {
    await whole([1]);
    await early([1]);
    expect((await ask()).map((row) => row["block_number"])).toEqual([501, 501]);
  });

  test("is hidden by its successor of another time, and comes back when that is taken back", async () => {
    await early([1]);
    await store.insert(polymarketFills, read(1, { seconds: 300 }));
    expect((await ask()).map((row) => row["block_number"])).toEqual([501, 501]);
    const scope = {
      from: 501,
      to: 501,
      since: new Date((START + 301) * 1000).toISOString(),
      until: new Date((START + 302) * 1000).toISOString(),
    };
    await store.replace(polymarketFills, [], { scope, before: async () => undefined });
    expect((await ask()).map((row) => row["block_number"])).toEqual([null, null]);
  });

  test("of a transaction that never comes vanishes after five minutes", async () => {
    await early([1]);
    await whole([2]);
    const stored = Date.now();
    expect(await ask({}, () => stored + 200_000)).toHaveLength(4);
    expect((await ask({}, () => stored + 301_000)).map((row) => row["block_number"])).toEqual([502, 502]);
  });

  test("that is told again is one row: at once, later with another second, and after a restart", async () => {
    await store.insert(polymarketEarlyFills, [...told(1), ...told(1)]);
    await store.insert(polymarketEarlyFills, told(1, { seconds: 0 }));
    const next = await openStore({ address: store.address });
    expect(await next.insert(polymarketEarlyFills, told(1, { seconds: -2 }))).toEqual({ stored: 0, known: 2 });
    expect(await openTestQuery(next).rows(556)).toHaveLength(2);
    await next.close();
  });

  test("is kept for a day", async () => {
    await early([1]);
    const columns = Object.keys(polymarketEarlyFills.columns).join(", ");
    await store.run(
      fromDefinition(
        `INSERT INTO polymarket_early_fills (${columns}) SELECT * REPLACE (now64(6) - INTERVAL 25 HOUR AS ingested_at, reverse(tx_hash) AS tx_hash) FROM polymarket_early_fills`,
      ),
    );
    await store.run(sql`OPTIMIZE TABLE polymarket_early_fills FINAL`);
    expect(await store.rows(sql`SELECT count() AS n FROM polymarket_early_fills`)).toEqual([{ n: "2" }]);
  });
});

describe("every filter holds for early trades as for stored ones", () => {
  const filters: readonly Params[] = [
    { proxy_wallet: hex(2, 40) },
    { proxy_wallet: `${hex(2, 40)},${hex(4, 40)}` },
    { proxy_wallet: Array.from({ length: 12 }, (_, index) => hex(index, 40)).join(",") },
    { token_id: tokenId(1) },
    { token_id: `${tokenId(0)},${tokenId(1)}` },
    { token_id: tokenId(1), proxy_wallet: hex(2, 40) },
    { condition_id: hex(77) },
    { market_slug: "rain-77" },
    { side: "BUY" },
    { min_size: "15" },
    { min_usd: "7" },
    { start_time: new Date((START + 4) * 1000).toISOString(), end_time: new Date((START + 7) * 1000).toISOString() },
  ];
  test.each(filters)("%o", async (params) => {
    const token = { token_id: tokenId(1), condition_id: hex(77), outcome: "Yes", outcome_index: 0, slug: "rain-77" };
    await store.insert(polymarketTokens, [token], "if_absent");
    const trades = Array.from({ length: 10 }, (_, index) => index);
    await store.insert(
      polymarketEarlyFills,
      trades.flatMap((trade) => told(trade, { seconds: 0 })),
    );
    const before = (await ask(params)).map(legOf);
    await whole(trades);
    const after = await ask(params);
    expect(after.every((row) => row["block_number"] !== null)).toBe(true);
    expect(before.length).toBeGreaterThan(0);
    expect(before.toSorted()).toEqual(after.map(legOf).toSorted());
  });

  test("role: what is not known is neither", async () => {
    await early([1]);
    expect((await ask({ role: "taker" })).map((row) => row["side"])).toEqual(["BUY"]);
    expect(await ask({ role: "maker" })).toEqual([]);
  });

  test("and they count for offsets, deep ones too", async () => {
    await whole([1, 2]);
    await early([3, 4]);
    const query = openTestQuery(store);
    const rows = await query.rows(556);
    const paged: Record<string, unknown>[] = [];
    for (const offset of [0, 3, 6]) paged.push(...(await query.rows(556, { pagination: { limit: 3, offset } })));
    expect(paged).toEqual(rows);
    const view = { shownAfter: "0", since: String(START), storedBy: String(Date.now() * 1000 + 60_000_000) };
    const now = bind("Int64", "0");
    expect(await store.rows(composeCount(polymarketTrades, {}, { now, early: view }))).toEqual([{ total: "8" }]);
    expect(
      await store.rows(composeCount(polymarketTrades, { side: bind("String", "BUY") }, { now, early: view })),
    ).toEqual([{ total: "4" }]);
  });
});

test("without early trades a page is asked as if there were no table of them", async () => {
  await whole([1]);
  const asked: string[] = [];
  const watched: Store = {
    ...store,
    read: (statement, reading) => (asked.push(statement.text), store.read(statement, reading)),
    rows: (statement, reading) => (asked.push(statement.text), store.rows(statement, reading)),
  };
  const query = openTestQuery(watched);
  for (const limit of [1, 2, 3, 4]) await query.rows(556, { pagination: { limit } });
  const pages = asked.filter((text) => text.includes("ORDER BY"));
  expect(pages).toHaveLength(4);
  expect(pages.filter((text) => text.includes("early"))).toEqual([]);
});
