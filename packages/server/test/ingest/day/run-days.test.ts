import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { defineDaysDerivation } from "../../../src/definition/day-derivation.ts";
import { numberOfDay } from "../../../src/definition/day-of.ts";
import type { PackedRows } from "../../../src/definition/packed-rows.ts";
import { RowWriter } from "../../../src/definition/row-writer.ts";
import { sql } from "../../../src/definition/sql.ts";
import { runDays, type RunOfDays } from "../../../src/ingest/day/run-days.ts";
import { walletPatterns } from "../../../src/tables/wallet-patterns.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { hex } from "../../fixtures/sample-rows.ts";
import { manualClock } from "../manual-clock.ts";

const DAYS = ["2026-05-19", "2026-05-20"];
const ZERO = hex(0, 40);

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  for (const table of ["wallet_patterns", "wallet_patterns_by_wallet"])
    await store.run(sql`TRUNCATE TABLE ${{ kind: "table", name: table }}`);
});

/** Scores of two wallets by day on which each has a row. */
type World = Readonly<Record<"1" | "2", Readonly<Record<string, number>>>>;
const BOTH: World = { 1: { "2026-05-19": 10, "2026-05-20": 20 }, 2: { "2026-05-19": 30, "2026-05-20": 40 } };

/** One wallet's rows per slice; `requested` records which slices were derived for how many days. */
const derivationOf = (world: World, requested: string[]) =>
  defineDaysDerivation({
    name: "patterns",
    title: "Patterns",
    from: [],
    into: walletPatterns,
    after: [],
    touched: ({ today }) => sql`SELECT toString(toDate(${today})) AS day`,
    slices: () => sql`SELECT toString(number + 1) AS first, first AS last FROM numbers(2)`,
    rowsOfSlice: async function* (days, { first }) {
      const wanted = days.value as readonly string[];
      requested.push(`${first}: ${wanted.length}`);
      const scores = Object.entries(world[first as keyof World]).filter(([day]) => wanted.includes(day));
      if (scores.length > 0) yield rowsOf(Number(first), scores);
    },
  });

function rowsOf(wallet: number, scores: readonly (readonly [string, number])[]): PackedRows {
  const row = new RowWriter();
  for (const [day, score] of scores) {
    row.begin();
    row.day(numberOfDay(day));
    row.hex(hex(wallet, 40));
    row.small(1);
    row.real(score);
    row.hex(ZERO);
    row.count(0);
    row.count(5);
    row.real(0.5);
    row.real(0);
    row.copy(Buffer.of(0));
    row.flag(false);
  }
  return row.packed();
}

/** Derives both days; returns the slices that were derived. */
async function make(world: World, more: Partial<RunOfDays> = {}): Promise<string[]> {
  const requested: string[] = [];
  const clock = manualClock(Date.parse("2026-05-21T00:00:00Z"));
  await runDays(derivationOf(world, requested), DAYS, { store, clock, signal: new AbortController().signal, ...more });
  return requested;
}

const found = async (table: string): Promise<string[]> =>
  (
    await store.rows<{ line: string }>(
      sql`SELECT concat(toString(day), ' ', toString(reinterpretAsUInt8(substring(wallet, 20))), ' ', toString(score)) AS line FROM ${{ kind: "table", name: table }} FINAL WHERE NOT is_gone ORDER BY line`,
    )
  ).map(({ line }) => line);
const both = async (): Promise<string[]> => {
  const [own, copy] = [await found("wallet_patterns"), await found("wallet_patterns_by_wallet")];
  expect(copy).toEqual(own);
  return own;
};
/** The newest version of each day. */
const versions = async (): Promise<string[]> =>
  (
    await store.rows<{ last: string }>(
      sql`SELECT toString(max(version)) AS last FROM wallet_patterns GROUP BY day ORDER BY day`,
    )
  ).map(({ last }) => last);

const ALL = ["2026-05-19 1 10", "2026-05-19 2 30", "2026-05-20 1 20", "2026-05-20 2 40"];

test("derives days without stored rows in one pass, and a rerun writes none of them again", async () => {
  const shares: number[] = [];
  expect(await make(BOTH, { onSlice: (done, of) => void shares.push(done / of) })).toEqual(["1: 2", "2: 2"]);
  expect(shares).toEqual([0.5, 1]);
  expect(await both()).toEqual(ALL);
  const before = await versions();
  expect(await make(BOTH)).toEqual(["1: 2", "2: 2"]);
  expect(await versions()).toEqual(before);
});

test.each([
  ["from the rows that were kept", 10, ["1: 2", "2: 2"]],
  ["made once more where they are too many to keep", 1, ["1: 2", "2: 2", "1: 1", "2: 1"]],
] as const)(
  "writes only changed days, %s, and retracts rows that are no longer derived",
  async (_how, most, slices) => {
    await make(BOTH);
    const before = await versions();
    const requested = await make({ 1: BOTH[1], 2: { "2026-05-19": 30 } }, { maxKept: most });
    expect(requested).toEqual(slices);
    expect(await both()).toEqual(ALL.slice(0, 3));
    const after = await versions();
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  },
);

test("the next run restores rows of a day that a copy lacks", async () => {
  await make(BOTH);
  await store.alter(sql`DELETE FROM wallet_patterns_by_wallet WHERE day = '2026-05-20'`);
  await make(BOTH);
  expect(await both()).toEqual(ALL);
});

test("a run interrupted between two slices is completed by the next", async () => {
  const stop = new AbortController();
  const cutOff = make(BOTH, { signal: stop.signal, onSlice: () => stop.abort(new Error("stop")) });
  await expect(cutOff).rejects.toThrow("stop");
  expect(await found("wallet_patterns")).toEqual(["2026-05-19 1 10", "2026-05-20 1 20"]);
  await make(BOTH);
  expect(await both()).toEqual(ALL);
});
