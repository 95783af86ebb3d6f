import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { once } from "../fixtures/once.ts";
import { openServedQuery } from "../fixtures/open-served-query.ts";
import { deriveAll, openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import {
  fill,
  hex,
  insertSamples,
  kalshiTrade,
  market,
  SAMPLE_PARAMS,
  table,
  tokenId,
} from "../fixtures/sample-rows.ts";

/** The finest ticks, as prices in ten-thousandths: 0.0025 and 0.001. */
const PRICES = [25, 75, 275, 9975, 10, 30, 70, 570, 690, 9990, 300, 5700];
const priceAt = (index: number): number => PRICES[index % PRICES.length] ?? 0;
const textOf = (parts: number, scale: number): string => String(parts / scale);
const priceText = (index: number): string => textOf(priceAt(index), 10_000);
/** Hundredths of a share. */
const sharesAt = (index: number): number => [1, 3, 7, 29, 101, 1_234_567][index % 6] ?? 0;
const BEGIN_MS = 1_760_010_000_000;
const COUNT = 72;
const each = <Row>(row: (index: number) => Row): Row[] => Array.from({ length: COUNT }, (_, index) => row(index));

let store: OpenStore;
const served = once(() => openServedQuery(store, Date.now));
beforeAll(async () => {
  store = await openTestStore();
  await insertSamples(store);
  await store.insert(
    table("polymarket_fills"),
    each((index) =>
      fill(1_000 + index, {
        ts: BEGIN_MS / 1000 + index * 20,
        token_id: tokenId(0),
        shares: textOf(sharesAt(index), 100),
        usd: ((priceAt(index) * sharesAt(index)) / 1e6).toFixed(6),
      }),
    ),
  );
  await store.insert(
    table("polymarket_prints"),
    each((index) => ({
      token_id: tokenId(0),
      ts: new Date(BEGIN_MS + index * 10).toISOString(),
      seq: 0,
      condition_id: hex(77),
      side: "BUY",
      price: priceText(index),
      shares: textOf(sharesAt(index), 100),
      tx_hash: "",
    })),
  );
  await store.insert(
    table("kalshi_trades"),
    each((index) => ({
      ...kalshiTrade(1_000 + index),
      created_time: new Date(BEGIN_MS + index * 1_000).toISOString(),
      count: textOf(sharesAt(index), 100),
      yes_price: priceText(index),
      no_price: textOf(10_000 - priceAt(index), 10_000),
    })),
  );
  await store.insert(
    table("polymarket_markets"),
    each((index) =>
      market(1_000 + index, { side_a_price: priceText(index), side_b_price: textOf(10_000 - priceAt(index), 10_000) }),
    ),
  );
  await deriveAll(store);
});
afterAll(async () => {
  await (await served()).close();
  await store.close();
});

const ULPS = 8 * Number.EPSILON;

/** Whether it differs from a decimal of few digits only by rounding, as 0.1 + 0.2 differs from 0.3. */
function isNoise(value: number): boolean {
  const short = Number(value.toPrecision(11));
  return short !== value && Math.abs(short - value) <= Math.abs(value) * ULPS;
}

/** The numbers in a value, including those in JSON text. */
function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  if (typeof value === "string") return /^[[{]/.test(value) ? numbersIn(JSON.parse(value)) : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

const pick = (rows: Record<string, unknown>[], ...fields: string[]): number[][] =>
  rows.map((row) => fields.map((field) => Number(row[field])));

describe.each(["engine", "index"])("answered by the %s", (by) => {
  const ask = async (agentId: number, requested: Record<string, unknown>) =>
    (by === "engine" ? openTestQuery(store) : await served()).rows(agentId, requested);

  test.each(datasets.map(({ agentId }) => agentId))(
    "%i prints no number with a binary rounding error",
    async (agentId) => {
      for (const format of ["raw", "typed"]) {
        const rows = await ask(agentId, { params: SAMPLE_PARAMS[agentId], format, pagination: { limit: 200 } });
        expect(rows.length).toBeGreaterThan(0);
        for (const row of rows)
          for (const [field, value] of Object.entries(row)) expect(numbersIn(value).filter(isNoise), field).toEqual([]);
      }
    },
  );

  test("returns prices of the finest ticks and hundredths of shares unchanged", async () => {
    const range = { start_time: new Date(BEGIN_MS).toISOString() };
    const expected = each((index) => [Number(priceText(index)), sharesAt(index) / 100]).toReversed();
    const params = { token_id: tokenId(0), ...range };
    expect(pick(await ask(556, { params }), "price", "size")).toEqual(expected);
    expect(pick(await ask(1103, { params }), "price", "size")).toEqual(expected);
    const ofKalshi = await ask(573, {
      params: { ticker: "KXMARS-1", end_time: new Date(BEGIN_MS + 1e6).toISOString(), ...range },
    });
    expect(pick(ofKalshi, "yes_price", "no_price", "count")).toEqual(
      expected.map(([price = 0, size]) => [Math.round(price * 1e4) / 100, (1e4 - Math.round(price * 1e4)) / 100, size]),
    );
    const minutes = await ask(568, { params: { ...params, fill: "none" } });
    expect(minutes).toHaveLength(COUNT / 3);
    const ticks = new Set(PRICES.map((parts) => (parts / 10_000).toFixed(6)));
    for (const row of minutes)
      for (const field of ["open", "high", "low", "close"]) expect(ticks, field).toContain(row[field]);
    const [first] = await ask(574, { params: { market_slug: "rain-1000" } });
    expect([first?.["side_a_price"], first?.["side_b_price"]]).toEqual([0.0025, 0.9975]);
  });
});
