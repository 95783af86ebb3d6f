import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ReadBytes, ReadRows } from "../../../src/definition/day-derivation.ts";
import { dayOfNumber, numberOfDay } from "../../../src/definition/day-of.ts";
import { idsSql } from "../../../src/definition/filter.ts";
import { bind, sql } from "../../../src/definition/sql.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { eligibleSql } from "../../../src/derivations/wallet-score/scored-span-sql.ts";
import { entriesByDay, scoresOfDays } from "../../../src/derivations/wallet-score/scores-of-days.ts";
import { walletScores } from "../../../src/tables/wallet-scores.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { readSamples as readSamplesOf } from "../../fixtures/read-samples.ts";
import { hex, market, table, tokenId } from "../../fixtures/sample-rows.ts";
import { unpackRows } from "../../fixtures/unpack-rows.ts";
import { walletDay } from "../../fixtures/wallet-day-rows.ts";
import { tokenDay } from "../../fixtures/wallet-token-day-rows.ts";

const COUNT = 60;
const DAY = "2026-05-20";
const CATEGORIES = ["Sports / Tennis", "Sports / Chess", "Politics"];
const PATTERNS = ["wash", "sybil", "farmer", "both_sides"];

/** Pseudo-random figures that are the same in every run. */
const drawn = (...seeds: readonly number[]): number => {
  const x = Math.sin(seeds.reduce((sum, seed, index) => sum + seed * (12.9898 + 65.2 * index), 1)) * 43_758.5453;
  return Math.round((x - Math.floor(x)) * 1e6) / 1e6;
};

/** Addresses at the ends of the address space and of its halves, and anywhere else. */
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
    // Some have too few entries to be ranked, in a category or overall.
    entries: 1 + Math.floor((place % 4 === 0 ? 4 : 18) * drawn(place, event, 2)),
    edge_sum: String(drawn(place, event, 3) - 0.5),
    cost_sum: figure(4),
    variance_sum: figure(5),
    clv_entries: 1,
    clv_sum: figure(7),
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

test(
  "slicing the wallets at any points yields the same samples as reading them all at once",
  { timeout: 300_000 },
  async () => {
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
  },
);

test("sends all ids when there are more than one text can contain", async () => {
  const ids = Array.from({ length: 4500 }, (_, index) => hex(index, 40));
  const [found] = await read<{ n: string }>(
    sql`SELECT toString(uniqExact(id)) AS n FROM (SELECT arrayJoin(range(4600)) AS number, toFixedString(unhex(leftPad(lower(hex(number)), 40, '0')), 20) AS id) WHERE id IN (${idsSql(ids, 20)})`,
  );
  expect(found?.n).toBe("4500");
});

const scored = async (days: readonly string[], walletsAtOnce = COUNT, bytesOf = readBytes): Promise<InsertRow[]> => {
  const rows = [];
  const slice = { first: days[0] ?? "", last: days.at(-1) ?? "" };
  for await (const some of scoresOfDays(bind("Array(Date)", days), slice, bytesOf, walletsAtOnce))
    rows.push(...unpackRows(walletScores, some));
  return rows;
};

test("scores a day identically to the last bit, however many wallets are read at once", async () => {
  const whole = await scored([DAY]);
  expect(new Set(whole.map((row) => row["category"]))).toEqual(new Set(["", "Sports", ...CATEGORIES]));
  expect(new Set(whole.map((row) => row["wallet"]))).toEqual(new Set(await eligible()));
  for (const walletsAtOnce of [COUNT / 3, 7]) expect(await scored([DAY], walletsAtOnce)).toEqual(whole);
}, 300_000);

test("scores the days of a run as if each ran alone, though their inputs are read once", async () => {
  const days = [15, 16, 18, 19, 20, 24, 26, 33].map((day) => dayOfNumber(numberOfDay("2026-05-01") + day - 1));
  let reads = 0;
  const counted: ReadBytes = (...given) => {
    reads += 1;
    return readBytes(...given);
  };
  const alone = [];
  for (const day of days) alone.push(await scored([day]));
  expect(new Set(alone.map((rows) => rows.length)).size).toBeGreaterThan(3);
  for (const walletsAtOnce of [COUNT, 7]) expect(await scored(days, walletsAtOnce)).toEqual(alone.flat());
  await scored(days, COUNT, counted);
  // For each of five runs of consecutive days: the eligible wallets, and four tables.
  expect(reads).toBe(5 * 5);
}, 300_000);

const garbled: ReadBytes = async (statement, format) =>
  format === "RowBinary" ? Buffer.from("no rows") : readBytes(statement, format);

test("a run fails with an error if its thread cannot read its input", async () => {
  await expect(scored([DAY], COUNT, garbled)).rejects.toThrow(RangeError);
});

test("the size of a day counts its rows and the window before it, to limit the days scored together", async () => {
  const [first] = await store.rows<{ day: string; size: string }>(entriesByDay(bind("Array(Date)", ["2026-05-12"])));
  const rows = await store.rows(sql`SELECT 1 AS one FROM wallet_entries WHERE day = '2026-05-12'`);
  expect(rows.length).toBeGreaterThan(10);
  expect(first).toEqual({ day: "2026-05-12", size: String(Math.ceil(1.25 * rows.length)) });
});
