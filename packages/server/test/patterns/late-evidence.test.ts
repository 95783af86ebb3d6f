import { afterAll, beforeAll, expect, test } from "vitest";
import { fromDefinition } from "../../src/definition/sql.ts";
import { walletPairDaysFromFills } from "../../src/derivations/patterns/wallet-pair-days.ts";
import { walletPatternsFromEvidence } from "../../src/derivations/patterns/wallet-patterns.ts";
import { walletTradeDaysFromFills } from "../../src/derivations/patterns/wallet-trade-days.ts";
import { deriveDays } from "../../src/ingest/day/derive-days.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { polymarketPositionChanges } from "../../src/tables/polymarket-position-changes.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { hex, table, tokenId } from "../fixtures/sample-rows.ts";
import { fillsOf, START, tokensOf, walletOf } from "./trades.ts";
import { withoutWaits } from "../ingest/clocks.ts";

const DERIVATIONS = [walletTradeDaysFromFills, walletPairDaysFromFills, walletPatternsFromEvidence];
const DAY = 86_400;

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
  await store.insert(table("polymarket_tokens"), tokensOf(1));
  await store.run(fromDefinition("SYSTEM RELOAD DICTIONARY polymarket_token_info"));
  // Wallet 2 trades with a maker that has other takers too.
  const alone = [20, 40].map((day) => ({ at: day * DAY, taker: 2, maker: 1 }));
  await store.insert(polymarketFills, fillsOf([...alone, { at: 20 * DAY, taker: 5, maker: 1 }]));
  await derive(undefined);
});
afterAll(() => store.close());

async function derive(since: number | undefined): Promise<void> {
  for (const derivation of DERIVATIONS)
    await deriveDays(derivation, since, {
      store,
      clock: withoutWaits(Date.now),
      venueNow: () => (START + 70 * DAY) * 1000,
      signal: new AbortController().signal,
    });
}

const patterns = (): Promise<Record<string, unknown>[]> =>
  store.rows(
    fromDefinition(
      "SELECT toString(day) AS day, concat('0x', lower(hex(wallet))) AS wallet, pattern, score FROM wallet_patterns FINAL WHERE NOT is_gone ORDER BY day, wallet, pattern",
    ),
  );

test("counts splits and merges that arrive later than the fills of their day", async () => {
  const since = Date.now();
  await store.insert(polymarketPositionChanges, [
    {
      ts: START + 20 * DAY,
      tx_hash: hex(1),
      log_index: 1,
      kind: "split",
      wallet: walletOf(2),
      stakeholder: walletOf(2),
      is_inner: false,
      contract: "conditional_tokens",
      condition_id: hex(700),
      market_id: hex(0),
      index_set: "0",
      amount: "1",
      usd_delta: "-1",
      token_ids: [tokenId(0)],
      token_deltas: ["1"],
      block_number: 1,
    },
  ]);
  await derive(since);
  expect(
    await store.rows(
      fromDefinition(
        "SELECT toUInt32(sum(set_events)) AS sets FROM wallet_trade_days FINAL WHERE day = '2026-06-21' AND NOT is_gone",
      ),
    ),
  ).toEqual([{ sets: 1 }]);
});

test("retracts what late fills indicate about a wallet on days up to two windows later", async () => {
  const since = Date.now();
  const ring = Array.from({ length: 12 }, (_, index) => ({
    at: DAY + 600 * index,
    taker: 2 + (index % 2),
    maker: 3 - (index % 2),
    shares: 100,
  }));
  await store.insert(polymarketFills, fillsOf(ring, 1000));
  await derive(since);
  const grown = await patterns();
  expect(grown.filter(({ wallet, pattern }) => wallet === walletOf(2) && pattern === "wash")).toMatchObject([
    { day: "2026-06-02", score: 100 },
    { day: "2026-06-21", score: 100 },
    { day: "2026-07-11", score: 0 },
  ]);
  await derive(undefined);
  expect(await patterns()).toEqual(grown);
});
