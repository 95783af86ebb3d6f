import { afterAll, beforeAll, expect, test } from "vitest";
import type { Requested, Coverage } from "../../src/definition/coverage.ts";
import type { HeldList } from "../../src/serving/list/held-list.ts";
import type { Store } from "../../src/store/store.ts";
import { openServedQuery } from "../fixtures/open-served-query.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { hex, market, table, tokenId } from "../fixtures/sample-rows.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
/** A day before the market was listed. */
const FROM = "2026-11-17T12:00:00.000Z";
const CLOSED = "2026-11-20T10:00:00.000Z";
/** Ten minutes after the close all trades are known. */
const SETTLED = "2026-11-20T10:10:00.000Z";
const HISTORY = "Polymarket fills: history before 2026-11-20 is not stored yet.";
const WHOLE: Coverage = { complete: true, from: null, to: null, gaps: [], reasons: [] };

const at = { start_date: "2026-11-18T12:00:00Z" };
const token = (index: number, ofMarket: number) => ({
  token_id: tokenId(index),
  condition_id: hex(ofMarket + 1),
  outcome_index: index % 2,
  outcome: index % 2 === 0 ? "Yes" : "No",
  slug: `rain-${ofMarket}`,
});

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
  await store.insert(table("polymarket_markets"), [
    market(0, { ...at, closed: true, closed_date: "2026-11-20T10:00:00Z" }),
    market(1, { ...at, closed: false, closed_date: null }),
  ]);
  await store.insert(table("polymarket_tokens"), [token(0, 0), token(1, 0), token(2, 1), token(5, 7)]);
  const kalshi = { event_ticker: "E", title: "T", status: "closed", updated_at: "2026-11-20T00:00:00Z" };
  await store.insert(table("kalshi_markets"), [
    { ...kalshi, ticker: "E-1", open_time: "2026-11-18T12:00:00Z", close_time: "2026-11-20T10:00:00Z" },
  ]);
});
afterAll(() => store.close());

type More = Parameters<typeof openTestQuery>[5];

/** Queries with complete coverage of the lifetime alone; returns the ranges requested of coverage, and the lookups. */
async function ask(agentId: number, params: Record<string, string>, isOfRange = true, isAway = false, more: More = {}) {
  const requested: Requested[] = [];
  let lookups = 0;
  const counting: Store = {
    ...store,
    rows: (statement, reading) => {
      if (statement.text.includes("AS from_s")) {
        lookups += 1;
        if (isAway) throw new Error("the engine is away");
      }
      return store.rows(statement, reading);
    },
  };
  const coverageOf = async (_tables: readonly string[], about: Requested): Promise<Coverage> => {
    requested.push(about);
    if (about.from === FROM) return WHOLE;
    return { ...WHOLE, complete: false, reasons: [HISTORY], isOfRange };
  };
  const query = openTestQuery(counting, () => NOW, undefined, false, coverageOf, more);
  const { coverage } = await query.answer(agentId, { params });
  await query.answer(agentId, { params });
  return { coverage, edges: requested.slice(0, 2).map(({ from, to }) => [from, to]), lookups };
}

const OPEN = [undefined, undefined];

const REQUESTED = [
  ["trades of a market", 556, { condition_id: hex(1) }, [FROM, SETTLED]],
  ["trades of a market by its slug", 556, { market_slug: "rain-0" }, [FROM, SETTLED]],
  ["trades of a token whose market is open", 556, { token_id: tokenId(2) }, [FROM, undefined]],
  ["trades of two markets, of which one is open", 556, { condition_id: `${hex(1)},${hex(2)}` }, [FROM, undefined]],
  ["candles", 568, { token_id: tokenId(1) }, [FROM, SETTLED]],
  ["a book, which is left at the close", 572, { token_id: tokenId(1) }, [FROM, CLOSED]],
  ["the tape", 1103, { token_id: tokenId(1) }, [FROM, SETTLED]],
  ["Kalshi's trades", 573, { ticker: "E-1" }, [FROM, SETTLED]],
  ["Kalshi's candles", 1101, { ticker: "E-1" }, [FROM, SETTLED]],
  ["Kalshi's book", 1102, { ticker: "E-1" }, [FROM, CLOSED]],
] as const;

test.each(REQUESTED)(
  "does not count the time before and after a market as missing: %s",
  async (_title, agentId, params, edges) => {
    const reported = await ask(agentId, params);
    expect(reported.edges).toEqual([OPEN, edges]);
    expect(reported.coverage).toMatchObject({ complete: true, reasons: [] });
    expect(reported.lookups).toBe(1);
  },
);

const UNKNOWN = [
  ["a market that is not in the catalogue", 556, { condition_id: hex(77) }],
  ["one of two that is not", 556, { condition_id: `${hex(1)},${hex(77)}` }],
  ["a token without a market", 568, { token_id: tokenId(5) }],
  ["no market", 556, { side: "BUY" }],
] as const;

test.each(UNKNOWN)("does not shorten the range if the market is not known: %s", async (_title, agentId, params) => {
  const { coverage } = await ask(agentId, params);
  expect(coverage).toMatchObject({ complete: false, reasons: [HISTORY] });
});

test("a list of markets in memory gives the same result without querying the engine", async () => {
  const served = await openServedQuery(store, () => NOW);
  const { lists: listed, tokenSources: servedTokens } = served.indexes;
  const requested = [...REQUESTED, ...UNKNOWN].map(([, agentId, params]) => [agentId, params] as const);
  try {
    for (const [agentId, params] of requested) {
      const [byList, byEngine] = [
        await ask(agentId, params, true, false, { listed, servedTokens }),
        await ask(agentId, params),
      ];
      expect({ ...byList, lookups: byEngine.lookups }, JSON.stringify(params)).toEqual(byEngine);
      expect(byList.lookups).toBe(0);
    }
    expect(served.failures).toEqual([]);
  } finally {
    await served.close();
  }
});

test("queries the engine if the list cannot be read, and reports the cause to the list", async () => {
  const failures: unknown[] = [];
  const list = {
    rowOf: () => {
      throw new Error("the file is gone");
    },
  } as unknown as HeldList;
  const listed = () => ({ list, version: 1, failed: (cause: unknown) => void failures.push(cause) });
  const reported = await ask(1101, { ticker: "E-1" }, true, false, { listed });
  expect(reported.edges).toEqual([OPEN, [FROM, SETTLED]]);
  expect([reported.lookups, failures.length > 0]).toEqual([1, true]);
});

test("judges a range that lies after the close as of the close", async () => {
  const { edges } = await ask(556, { condition_id: hex(1), start_time: "2026-11-20T11:00:00Z" });
  expect(edges).toEqual([
    ["2026-11-20T11:00:00.000000Z", undefined],
    [SETTLED, SETTLED],
  ]);
});

test("reports a reason that holds for any range without looking up a market", async () => {
  const { lookups, coverage } = await ask(556, { condition_id: hex(1) }, false);
  expect([lookups, coverage.complete]).toEqual([0, false]);
});

test("answers with what is known if the engine cannot be queried for lifetimes", async () => {
  const { lookups, coverage } = await ask(556, { condition_id: hex(1) }, true, true);
  expect([lookups, coverage]).toMatchObject([2, { complete: false, reasons: [HISTORY] }]);
});
