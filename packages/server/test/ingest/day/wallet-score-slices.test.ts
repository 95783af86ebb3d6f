import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ReadBytes, ReadRows } from "../../../src/definition/day-derivation.ts";
import { dayOfNumber, numberOfDay } from "../../../src/definition/day-of.ts";
import { idsSql } from "../../../src/definition/filter.ts";
import { slicesOf } from "../../../src/definition/slices.ts";
import { sql } from "../../../src/definition/sql.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { eligibleSql } from "../../../src/derivations/wallet-score/eligible-sql.ts";
import { scoreDay } from "../../../src/derivations/wallet-score/score-day.ts";
import { ScoreSpans } from "../../../src/derivations/wallet-score/score-spans.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { readSamples as readSamplesOf } from "../../fixtures/read-samples.ts";
import { hex, market, table, tokenId } from "../../fixtures/sample-rows.ts";
import { walletDay } from "../../fixtures/wallet-day-rows.ts";
import { tokenDay } from "../../fixtures/wallet-token-day-rows.ts";

const COUNT = 60;
const DAY = "2026-05-20";
const CATEGORIES = ["Sports / Tennis", "Sports / Chess", "Politics"];
const PATTERNS = ["wash", "sybil", "farmer", "both_sides"];

/** Figures that look like chance and are the same in every run. */
const drawn = (...seeds: readonly number[]): number => {
  const x = Math.sin(seeds.reduce((sum, seed, index) => sum + seed * (12.9898 + 65.2 * index), 1)) * 43_758.5453;
  return Math.round((x - Math.floor(x)) * 1e6) / 1e6;
};

/** The ends of the address space and of its halves, and addresses anywhere. */
const WALLETS = [
  `0x${"00".repeat(20)}`,
  `0x${"ff".repeat(20)}`,
  `0x7f${"ff".repeat(19)}`,
  `0x80${"00".repeat(19)}`,
  ...Array.from({ length: COUNT - 4 }, (_, index) => {
    const first = Math.floor(drawn(index) * 256);
    return `0x${first.toString(16).padStart(2, "0")}${(index + 1).toString(16).padStart(38, "0")}`;
  }),
].toSorted();

function entry(wallet: string, place: number, event: number): InsertRow {
  const figure = (column: number): string => String(drawn(place, event, column));
  return {
    wallet,
    day: `2026-05-${10 + Math.floor(10 * drawn(place, event))}`,
    token_id: tokenId(2 * event),
    condition_id: hex(event + 1),
    event_key: 100 + event,
    category: CATEGORIES[event % 3],
    payout: "1",
    shares: "100",
    bought_usd: figure(1),
    maker_usd: "0",
    // Some have too few entries to be ranked, in a category or at all.
    entries: 1 + Math.floor((place % 4 === 0 ? 4 : 18) * drawn(place, event, 2)),
    edge_sum: String(drawn(place, event, 3) - 0.5),
    cost_sum: figure(4),
    variance_sum: figure(5),
    brier_sum: figure(6),
    clv_entries: 1,
    clv_sum: figure(7),
    clv_edge_sum: figure(8),
    later_entries: 1,
    later_sum: figure(9),
    later_edge_sum: figure(10),
    later_cost_sum: figure(11),
    later_variance_sum: figure(12),
    is_gone: false,
  };
}

const dayOf = (wallet: string, place: number, index: number): InsertRow => {
  const made = String(drawn(place, index, 20) - 0.4);
  return walletDay(wallet, `2026-05-${12 + index}`, {
    buys: 1,
    bought_usd: "100",
    cash_usd: made,
    realized_usd: made,
  });
};

const patternOf = (wallet: string, place: number): InsertRow => ({
  day: "2026-05-15",
  wallet,
  pattern: PATTERNS[place % 4],
  score: Math.floor(100 * drawn(place, 30)),
  cluster: hex(0, 40),
  cluster_size: 0,
  n: 5,
  share: 0.5,
  base_rate: 0.1,
  parts: "{}",
  is_gone: false,
});

let store: Awaited<ReturnType<typeof openTestStore>>;
const read: ReadRows = (statement) => store.rows(statement);
const readBytes: ReadBytes = (statement, format) => store.read(statement, { format });
const readSamples = (wallets: readonly string[]) => readSamplesOf(store, DAY, wallets);
const each = <T>(make: (wallet: string, place: number) => T[]): T[] => WALLETS.flatMap(make);

beforeAll(async () => {
  store = await openTestStore();
  const events = [0, 1, 2, 3, 4, 5];
  await store.insert(
    table("polymarket_markets"),
    events.map((index) => market(index, { event_slug: index < 2 ? "both" : "", category: CATEGORIES[index % 3] })),
  );
  await store.insert(
    table("wallet_entries"),
    each((wallet, place) => events.map((event) => entry(wallet, place, event))),
  );
  await store.insert(
    table("wallet_days"),
    each((wallet, place) => [0, 1, 2, 3].map((index) => dayOf(wallet, place, index))),
  );
  await store.insert(
    table("wallet_token_days"),
    each((wallet, place) =>
      [0, 3].map((event) =>
        tokenDay(wallet, "2026-05-15", tokenId(2 * event), {
          condition_id: hex(event + 1),
          realized_usd: String(drawn(place, event, 40) - 0.3),
        }),
      ),
    ),
  );
  await store.insert(
    table("wallet_patterns"),
    each((wallet, place) => (place % 5 === 0 ? [patternOf(wallet, place)] : [])),
  );
});
afterAll(() => store.close());

const eligible = async (): Promise<string[]> =>
  (await read<{ address: string }>(eligibleSql({ first: DAY, last: DAY }))).map(({ address }) => address);

test("whatever slices the wallets are cut into, they hold the samples of the whole", { timeout: 300_000 }, async () => {
  const wallets = await eligible();
  const whole = await readSamples(wallets);
  expect(whole.map(({ wallet }) => wallet)).toEqual(wallets);
  expect(whole.length).toBeGreaterThan(COUNT / 2);
  expect(whole.length).toBeLessThan(COUNT);
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: wallets.length - 1 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(cuts, async (inner) => {
      const edges = [0, ...inner.toSorted((a, b) => a - b), wallets.length];
      const found = [];
      for (const [index, from] of edges.slice(0, -1).entries())
        found.push(...(await readSamples(wallets.slice(from, edges[index + 1]))));
      expect(found).toEqual(whole);
    }),
    { numRuns: 4, examples: [[[1, wallets.length - 1]]] },
  );
});

test("more ids than one text holds are all sent", async () => {
  const ids = Array.from({ length: 4500 }, (_, index) => hex(index, 40));
  const [found] = await read<{ n: string }>(
    sql`SELECT toString(uniqExact(id)) AS n FROM (SELECT arrayJoin(range(4600)) AS number, toFixedString(unhex(leftPad(lower(hex(number)), 40, '0')), 20) AS id) WHERE id IN (${idsSql(ids, 20)})`,
  );
  expect(found?.n).toBe("4500");
});

async function scored(walletsAtOnce: number) {
  const slices = [];
  for await (const rows of scoreDay(DAY, new ScoreSpans([DAY]), { read, readBytes, walletsAtOnce })) slices.push(rows);
  return slices;
}

test("the scores of a day are the same to the last bit, however many wallets are read at once", async () => {
  const wallets = await eligible();
  const [whole, ...others] = await scored(COUNT);
  expect(others).toEqual([]);
  expect(new Set(whole?.map((row) => row["category"]))).toEqual(new Set(["", "Sports", ...CATEGORIES]));
  for (const walletsAtOnce of [COUNT / 3, 7]) {
    const found = await scored(walletsAtOnce);
    expect(found).toHaveLength(Math.ceil(wallets.length / walletsAtOnce));
    expect(found.flat()).toEqual(whole);
  }
}, 300_000);

test("days of a run are scored as each by itself, though what they are made of is read once", async () => {
  const days = [15, 16, 18, 19, 20, 24, 26, 33].map((day) => dayOfNumber(numberOfDay("2026-05-01") + day - 1));
  let reads = 0;
  const counted: ReadBytes = (...given) => {
    reads += 1;
    return readBytes(...given);
  };
  const rowsOf = async (day: string, spans: ScoreSpans): Promise<InsertRow[]> => {
    const reader = { read, readBytes: counted, walletsAtOnce: COUNT };
    const rows = [];
    for await (const some of scoreDay(day, spans, reader)) rows.push(...some);
    return rows;
  };
  const alone = [];
  for (const day of days) alone.push(await rowsOf(day, new ScoreSpans([day])));
  expect(new Set(alone.map((rows) => rows.length)).size).toBeGreaterThan(3);
  reads = 0;
  // Two days are under way at a time, and the later of them may be asked for first.
  const spans = new ScoreSpans(days);
  const found = new Map<string, InsertRow[]>();
  const order = [1, 0, 2, 3, 5, 4, 6, 7].map((place) => days[place] ?? "");
  for (const pair of slicesOf(order, 2))
    await Promise.all(pair.map(async (day) => found.set(day, await rowsOf(day, spans))));
  expect(days.map((day) => found.get(day))).toEqual(alone);
  expect(reads).toBe(4);
}, 300_000);

const garbled: ReadBytes = async () => Buffer.from("no rows");

test("what the thread of a day cannot read ends the day, and is told", async () => {
  const rows = scoreDay(DAY, new ScoreSpans([DAY]), { read, readBytes: garbled, walletsAtOnce: COUNT });
  await expect(rows.next()).rejects.toThrow(RangeError);
});
