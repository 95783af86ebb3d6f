import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bind, fromDefinition, sql } from "../../src/definition/sql.ts";
import { walletPairDaysFromFills } from "../../src/derivations/patterns/wallet-pair-days.ts";
import { walletPatternsFromEvidence } from "../../src/derivations/patterns/wallet-patterns.ts";
import { walletTradeDaysFromFills } from "../../src/derivations/patterns/wallet-trade-days.ts";
import { washersSql } from "../../src/derivations/market/refresh-markets.ts";
import { deriveDays } from "../../src/ingest/day/derive-days.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { table } from "../fixtures/sample-rows.ts";
import { crowd, echoing, fillsOf, START, sureBuying, tokensOf, walletOf, washing } from "./trades.ts";
import { withoutWaits } from "../ingest/clocks.ts";

const DERIVATIONS = [walletTradeDaysFromFills, walletPairDaysFromFills, walletPatternsFromEvidence];
const DAY = 86_400;

let store: Awaited<ReturnType<typeof openTestStore>>;
const run = () => ({
  store,
  clock: withoutWaits(Date.now),
  venueNow: () => (START + 60 * DAY) * 1000,
  signal: new AbortController().signal,
});

/** Derives all days, each derivation before those that read it. */
async function rebuild(): Promise<void> {
  for (const derivation of DERIVATIONS) await deriveDays(derivation, undefined, run());
}

type Row = {
  day: string;
  wallet: string;
  pattern: string;
  score: number;
  cluster: string;
  cluster_size: number;
  n: number;
  share: number;
  base_rate: number;
  parts: string;
};
const all = (): Promise<Row[]> =>
  store.rows<Row>(
    fromDefinition(
      "SELECT toString(day) AS day, concat('0x', lower(hex(wallet))) AS wallet, pattern, score, concat('0x', lower(hex(cluster))) AS cluster, cluster_size, n, share, base_rate, parts FROM wallet_patterns FINAL WHERE NOT is_gone ORDER BY day, wallet, pattern",
    ),
  );
const newest = async (pattern: string): Promise<Map<string, Row>> =>
  new Map((await all()).filter((row) => row.pattern === pattern).map((row) => [row.wallet, row]));

const washersAsOf = async (day: number, least: number): Promise<number | undefined> => {
  const at = bind("Date", new Date((START + day * DAY) * 1000).toISOString().slice(0, 10));
  const washers = washersSql(at, bind("Float64", least));
  const rows = await store.rows<{ n: number }>(sql`SELECT toUInt32(count()) AS n FROM ${washers}`);
  return rows[0]?.n;
};

const versions = (): Promise<Record<string, unknown>[]> =>
  store.rows(
    fromDefinition(
      "SELECT toString((SELECT max(version) FROM wallet_trade_days)) AS trade, toString((SELECT max(version) FROM wallet_pair_days)) AS pair, toString((SELECT max(version) FROM wallet_patterns)) AS pattern",
    ),
  );

beforeAll(async () => {
  store = await openTestStore();
  await store.insert(table("polymarket_tokens"), tokensOf(5));
  await store.run(fromDefinition("SYSTEM RELOAD DICTIONARY polymarket_token_info"));
  await store.insert(
    table("polymarket_fills"),
    fillsOf([...crowd(), ...washing(), ...echoing(), ...sureBuying()].sort((a, b) => a.at - b.at)),
  );
  await rebuild();
});
afterAll(() => store.close());

describe("patterns", () => {
  test("report a closed cluster that hands shares around as a wash ring, and no other wallet", async () => {
    const found = await newest("wash");
    expect([...found.keys()].sort()).toEqual([2, 3, 4].map(walletOf));
    for (const row of found.values()) {
      // Each is in 8 of the 12 matches, and in nothing else.
      expect(row).toMatchObject({ score: 80, cluster: walletOf(2), cluster_size: 3, n: 8, share: 1 });
      expect(JSON.parse(row.parts)).toMatchObject({ tier: 2, matches: 8, inside_fills: 1, usd: 400 });
    }
  });

  test("report wallets that repeatedly enter alike as a sybil ring", async () => {
    const found = await newest("sybil");
    expect([...found.keys()].sort()).toEqual([10, 11, 12].map(walletOf));
    for (const row of found.values()) {
      expect(row).toMatchObject({ cluster: walletOf(10), cluster_size: 3, n: 6 });
      // Six of seven entries, minus the few expected by chance.
      expect(row.share).toBeGreaterThan(0.7);
      expect(row.share).toBeLessThanOrEqual(6 / 7);
      expect(row.score).toBeGreaterThan(50);
      expect(JSON.parse(row.parts)).toMatchObject({ wallets: 3, ties: 2, echoes: 6 });
    }
  });

  test("report a wallet that buys at 0.95 or more as a farmer, with the full score from twenty fills on", async () => {
    const found = await newest("farmer");
    expect(found.get(walletOf(15))).toMatchObject({ score: 100, n: 25, share: 1, cluster_size: 0 });
    expect(found.has(walletOf(16))).toBe(false);
  });

  test("distinguish a wallet that quotes both sides of many markets from the crowd", async () => {
    const found = await newest("both_sides");
    expect([...found.keys()]).toEqual([walletOf(1)]);
    expect(found.get(walletOf(1))?.score).toBeGreaterThan(50);
  });

  test("have a base rate each", async () => {
    // Wallets: the maker, 3, 3, 2 and 20 of the crowd; three of them wash.
    expect((await newest("wash")).get(walletOf(2))?.base_rate).toBeCloseTo(3 / 29, 6);
  });

  test("count only evidence from before a day as of that day", async () => {
    const days = [0, 12, 50];
    expect(await Promise.all(days.map((day) => washersAsOf(day, 1)))).toEqual([0, 3, 0]);
    expect(await washersAsOf(12, 101)).toBe(0);
  });
});

describe("recomputed patterns", () => {
  test("are unchanged when computed from scratch, and none is written again", async () => {
    const before = [await all(), await versions()];
    await rebuild();
    expect([await all(), await versions()]).toEqual(before);
  });

  test("after a late fill equal those of a full rebuild", async () => {
    const since = Date.now();
    const late = fillsOf([{ at: 3 * DAY + 500, taker: 2, maker: 3, shares: 100 }], 10_000);
    await store.insert(table("polymarket_fills"), late);
    for (const derivation of DERIVATIONS) await deriveDays(derivation, since, run());
    const grown = await all();
    expect((await newest("wash")).get(walletOf(2))).toMatchObject({ score: 90, n: 9 });
    await rebuild();
    expect(await all()).toEqual(grown);
  });

  test("get a score of 0 if they no longer hold on a later day", async () => {
    const alone = fillsOf(
      Array.from({ length: 200 }, (_, index) => ({
        at: 8 * DAY + index * 20,
        taker: 2,
        maker: 1,
        market: 3,
        shares: 7,
      })),
      20_000,
    );
    await store.insert(table("polymarket_fills"), alone);
    await rebuild();
    expect((await newest("wash")).get(walletOf(2))).toMatchObject({ day: "2026-06-09", score: 0, n: 0 });
    expect((await newest("wash")).get(walletOf(3))).toMatchObject({ day: "2026-06-04" });
  });
});
