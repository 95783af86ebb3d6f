import { describe, expect, it } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import { MAX_UNITS } from "../../src/definition/cost.ts";
import { EXAMPLE_SAMPLE, examplesOf } from "../../src/definition/example-values.ts";
import { costOf, type Costing, costOfExample } from "../../src/query/cost.ts";
import { parseParams } from "../../src/query/parse-params.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
/** The most values that a parameter of the free plan may list. */
const MAX_ITEMS = 50;
const hex = (index: number, digits: number): string => `0x${(index + 1).toString(16).padStart(digits, "0")}`;
const list = (one: (index: number) => string, count = MAX_ITEMS): string =>
  Array.from({ length: count }, (_, at) => one(at)).join(",");
const WALLETS = list((at) => hex(at, 40));
const MARKETS = list((at) => hex(at, 64));
const TOKENS = list(String);
const WORDS = list((at) => `word ${at}`);
const SLUGS = list((at) => `slug-${at}`);

type Params = Readonly<Record<string, string>>;
type More = Partial<Pick<Costing, "limit" | "offset" | "format">>;

function units(agentId: number, params: Params, more: More = {}): number {
  const dataset = datasets.find((one) => one.agentId === agentId);
  if (dataset === undefined) throw new Error(`no dataset ${agentId}`);
  const { given } = parseParams(dataset, params, "reject", { nowMs: NOW });
  return costOf(dataset, {
    given,
    limit: Math.min(200, dataset.limit.max),
    offset: 0,
    format: "raw",
    nowMs: NOW,
    ...more,
  });
}

/** By dataset: the cost of its examples, and of the most expensive page of 200 rows that the free plan allows. */
const TABLE: readonly [agentId: number, examples: readonly number[], dearest: Params, costs: number][] = [
  [556, [1, 1, 1], { proxy_wallet: WALLETS, token_id: TOKENS, condition_id: MARKETS, market_slug: SLUGS }, 3],
  [565, [1, 1], { ticker: SLUGS, event_ticker: SLUGS, series_ticker: SLUGS }, 3],
  [568, [1], { token_id: "1", fill: "previous", start_time: "2020-01-01" }, 1],
  [569, [1, 1], { wallet: WALLETS, condition_id: MARKETS, method: "fifo" }, 16],
  [572, [1], { token_id: "1" }, 1],
  [573, [1], { ticker: SLUGS, event_ticker: SLUGS }, 2],
  [574, [1, 1], { market_slug: SLUGS, condition_id: MARKETS, event_slug: SLUGS }, 3],
  [575, [1, 1], { condition_id: MARKETS, market_slug: SLUGS }, 2],
  [579, [2, 4, 16], { leaderboard_period: "all", as_of: "2026-11-01", wallet_address: WALLETS }, 31],
  [581, [2, 2], { proxy_wallet: WALLETS, window_days: "all" }, 19],
  [584, [2, 10, 2], { as_of: "2026-11-01", wallet: WALLETS }, 11],
  [585, [2, 2, 2], { keywords: WORDS, hours_back: "87600" }, MAX_UNITS],
  [586, [1], { wallet_address: WALLETS }, 6],
  [596, [3, 3], { resolution: "1m", start_time: "2020-01-01", token_id: TOKENS, condition_id: MARKETS }, MAX_UNITS],
  [1001, [1, 1], { proxy_wallet: WALLETS, condition_id: MARKETS, token_id: TOKENS }, 23],
  [1002, [1, 1], { proxy_wallet: WALLETS, condition_id: MARKETS, token_id: TOKENS }, 23],
  [1003, [1, 1], { proxy_wallet: WALLETS }, 6],
  [1004, [2], { condition_id: MARKETS, token_id: TOKENS }, 3],
  [1005, [3, 3], { proxy_wallet: WALLETS }, 6],
  [1006, [3], { wallet: WALLETS }, 18],
  [1007, [2, 2], { keywords: WORDS, condition_id: MARKETS, hours_back: "8760" }, MAX_UNITS],
  [1101, [1], { ticker: "KX", interval: "1d" }, 1],
  [1102, [1], { ticker: "KX" }, 1],
  [1103, [1], { token_id: TOKENS }, 2],
  [1104, [1, 1], { proxy_wallet: WALLETS, condition_id: MARKETS }, 2],
  [1105, [1, 1], { condition_id: MARKETS }, 2],
  [1106, [1, 1], { proxy_wallet: WALLETS, token_id: TOKENS }, 2],
  [1107, [1, 1], { slug: SLUGS, parent_slug: SLUGS }, 2],
];

describe("the cost of a request", () => {
  it("is in the table for every dataset", () => {
    expect(new Set(TABLE.map(([agentId]) => agentId))).toEqual(new Set(datasets.map(({ agentId }) => agentId)));
  });

  it.each(TABLE)(
    "of dataset %i is as listed for its examples and its most expensive page",
    (agentId, examples, dearest, costs) => {
      const dataset = datasets.find((one) => one.agentId === agentId);
      if (dataset === undefined) throw new Error(`no dataset ${agentId}`);
      expect(examplesOf(dataset, EXAMPLE_SAMPLE.values).map((example) => costOfExample(dataset, example))).toEqual(
        examples,
      );
      expect(units(agentId, dearest)).toBe(costs);
    },
  );

  it("grows with items, window, rows, format and offset, and stays between 1 and the maximum", () => {
    expect(units(569, { wallet: hex(0, 40) })).toBe(1);
    expect(units(569, { wallet: list((at) => hex(at, 40), 50) })).toBe(8);
    expect(units(596, { lookback_hours: "24" })).toBe(3);
    expect(units(596, { lookback_hours: "8760" })).toBe(21);
    expect(units(596, { start_time: "2026-10-21", end_time: "2026-11-20" })).toBe(5);
    expect(units(556, {}, { limit: 10_000 })).toBe(8);
    for (const format of ["csv", "parquet", "arrow"] as const) expect(units(556, {}, { format })).toBe(2);
    for (const format of ["raw", "typed", "ndjson"] as const) expect(units(556, {}, { format })).toBe(1);
    expect(units(556, {}, { offset: 1_000_000 })).toBe(21);
    expect(units(556, {}, { offset: Number.MAX_SAFE_INTEGER })).toBe(MAX_UNITS);
  });

  it("distinguishes a filter over everything from an item and from a time range", () => {
    expect(units(556, { min_usd: "900000" })).toBe(3);
    expect(units(556, { min_usd: "900000", proxy_wallet: hex(0, 40) })).toBe(1);
    expect(units(556, { start_time: "2026-11-01", window_days: "3" })).toBe(1);
    expect(units(568, { market_slug: "a-market" })).toBe(1);
  });
});
