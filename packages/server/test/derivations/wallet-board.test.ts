import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appendRows } from "../fixtures/append-rows.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { bind, fromDefinition, sql } from "../../src/definition/sql.ts";
import { columnsIn, type InsertRow } from "../../src/definition/table.ts";
import { keepBoards } from "../../src/query/served/keep-reads.ts";
import { walletBoard } from "../../src/derivations/wallet-window/wallet-board.ts";
import { lengthOf, WINDOW_LENGTHS } from "../../src/derivations/wallet-window/wallet-window.ts";
import type { ReadBoard } from "../../src/definition/served-keyed.ts";
import { table } from "../fixtures/sample-rows.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { walletDay } from "../fixtures/wallet-day-rows.ts";
import { NOBODY } from "../fixtures/wallet-names.ts";
import { walletReturnsSql } from "../fixtures/wallet-returns-sql.ts";

const WALLETS = 12;
/** The shortest window, one that begins among the days, one that begins before them in most tests, and all. */
const COMPARED = thoroughly<readonly string[]>(WINDOW_LENGTHS, ["1", "7", "90", "all"]);
const FIRST = Date.UTC(2026, 0, 1);
const FIGURES = fromDefinition(
  "concat('0x', lower(hex(wallet))) AS key, toFloat64(trades) AS trades, toFloat64(wins) AS wins, toFloat64(losses) AS losses, toString(toInt64(invested_usd * 1000000)) AS invested, toString(toInt64(pnl_usd * 1000000)) AS pnl, toString(toInt64(fee_usd * 1000000)) AS fees, toString(sharpe) AS sharpe",
);

const dayOf = (day: number): string => new Date(FIRST + day * 86_400_000).toISOString().slice(0, 10);
const walletOf = (index: number): string =>
  `0x${String(index + 1)
    .padStart(2, "0")
    .repeat(20)}`;

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => (store = await openTestStore()));
afterAll(() => store.close());

/** Random days, consistent with each other only as far as sums of them are concerned. */
const someDays = (from: number, to: number, seed: number): InsertRow[] => {
  const row = fc.record({
    wallet: fc.nat(WALLETS - 1),
    day: fc.integer({ min: from, max: to }),
    buys: fc.nat(3),
    sells: fc.nat(2),
    other_events: fc.nat(1),
    wins: fc.nat(2),
    losses: fc.nat(2),
    cents: fc.integer({ min: -50_000, max: 50_000 }),
    fee: fc.integer({ min: 0, max: 9_000_000 }),
    bought: fc.integer({ min: 0, max: 90_000 }),
    value: fc.integer({ min: 0, max: 30_000 }),
    isGone: fc.integer({ min: 0, max: 9 }),
  });
  const keyed = new Map(
    fc.sample(row, { numRuns: 600, seed }).map((one) => [`${one.wallet} ${one.day}`, one] as const),
  );
  return [...keyed.values()].map(({ wallet, day, cents, fee, bought, value, isGone, ...counts }) =>
    walletDay(walletOf(wallet), dayOf(day), {
      ...counts,
      realized_usd: (cents / 100).toFixed(2),
      fee_usd: (fee / 1e6).toFixed(6),
      bought_usd: counts.buys > 0 ? (bought / 100).toFixed(2) : "0",
      cash_usd: (-bought / 300).toFixed(2),
      open_value_usd: (value / 100).toFixed(2),
      open_cost_usd: (value / 120).toFixed(2),
      is_gone: isGone === 0,
    }),
  );
};

const storeDays = (rows: readonly InsertRow[]) => store.insert(table("wallet_days"), rows);

async function empty(): Promise<void> {
  for (const name of ["wallet_days", "wallet_days_by_wallet"])
    await store.alter(fromDefinition(`TRUNCATE TABLE ${name}`));
}

const copied = columnsIn(table("wallet_days"), "wallet_days_by_wallet").join(", ");

/** Adds versions, as for rows that another process stores. */
const versioned = (rows: readonly InsertRow[]): InsertRow[] =>
  rows.map((row) => ({ ...row, version: String(Date.now() * 1000) }));

/** Expects boards in memory to equal SQL over the days, bit by bit; without returns, the same without Sharpe ratios. */
async function expectAlike(read: ReadBoard, day: number): Promise<void> {
  for (const length of COMPARED) {
    const days = lengthOf(bind("String", length));
    const window = { days, asOf: sql`toDate(${bind("String", dayOf(day))})` };
    const reported = await store.rows(
      sql`SELECT ${FIGURES} FROM ${walletReturnsSql(window)} ORDER BY pnl_usd DESC, wallet`,
    );
    const wanted = reported.map((row) => Object.assign({}, row, { sharpe: Number(row["sharpe"] ?? Number.NaN) }));
    for (const hasReturns of [true, false]) {
      const board = await read(walletBoard(days, FIRST / 86_400_000 + day, hasReturns));
      const found = board.after(0, Infinity, () => true);
      const shown = found.map(({ row }) => ({
        ...row,
        invested: String(row.invested),
        pnl: String(row.pnl),
        fees: String(row.fees),
      }));
      expect(shown, `${length} days up to ${dayOf(day)}`).toEqual(
        hasReturns ? wanted : wanted.map((row) => Object.assign({}, row, { sharpe: Number.NaN })),
      );
      expect(found.map(({ row }) => board.rankOf(row.key))).toEqual(found.map(({ rank }) => rank));
      expect(found.map(({ row }) => board.row(row.key))).toEqual(found.map(({ row }) => row));
      expect(board.rankOf(NOBODY)).toBeUndefined();
    }
  }
}

/** Each wallet's capital on the last day of a window. */
async function capitals(day: number, length: string): Promise<number[]> {
  const window = { days: lengthOf(bind("String", length)), asOf: sql`toDate(${bind("String", dayOf(day))})` };
  const rows = await store.rows<{ capital: number }>(
    sql`SELECT daily[-1].3 AS capital FROM ${walletReturnsSql(window)} ORDER BY wallet`,
  );
  return rows.map(({ capital }) => capital);
}

describe("boards in memory", { timeout: 300_000 }, () => {
  it("equal SQL over the stored days, whatever rows arrive after they were built", async () => {
    const read = keepBoards(store, store.stampOf);
    await expectAlike(read, 120);
    await storeDays(someDays(0, 120, 1));
    for (const day of thoroughly([109, 112, 120], [109, 120])) await expectAlike(read, day);
    // Late rows, retracted rows and rows of new days and wallets.
    await storeDays(someDays(20, 119, 2));
    for (const day of thoroughly([109, 110, 120], [110, 120])) await expectAlike(read, day);
    await storeDays(someDays(0, 130, 3).slice(0, 40));
    for (const day of thoroughly([110, 120, 130], [120, 130])) await expectAlike(read, day);
  });

  it("include within a second the rows that other processes store", async () => {
    await empty();
    const clock = { seconds: 0 };
    const read = keepBoards(store, () => clock.seconds);
    for (const seed of thoroughly([4, 5, 6], [4, 5])) {
      await appendRows(store, table("wallet_days"), versioned(someDays(90, 120, seed).slice(0, 9)));
      await store.run(
        fromDefinition(`INSERT INTO wallet_days_by_wallet (${copied}) SELECT ${copied} FROM wallet_days`),
      );
      clock.seconds += 1;
      await expectAlike(read, 120);
    }
  });

  it("include rows stored since a board was built, if the clock was ahead then, or is ahead now", async () => {
    await empty();
    let ahead = 0;
    const times = () => ({ now: Date.now() + ahead, monotonic: performance.now() });
    const read = keepBoards(store, store.stampOf, times);
    for (const [seed, hours] of [1, 0, 1, 0].entries()) {
      ahead = hours * 3_600_000;
      await storeDays(someDays(90, 120, seed).slice(0, 9));
      await expectAlike(read, 120);
    }
  });

  it("store amounts of any size exactly, and sort by them", async () => {
    await empty();
    const amounts = ["9007199254.740993", "9007199254.740992", "9007199254.740994", "-1"];
    const of = (from: number) =>
      amounts.map((realized_usd, at) => walletDay(walletOf(from + at), dayOf(1), { buys: 1, realized_usd }));
    await storeDays(of(0));
    const read = keepBoards(store, store.stampOf);
    await expectAlike(read, 1);
    await storeDays(of(4));
    await expectAlike(read, 1);
  });

  it("count the returns of wallets that only held positions", async () => {
    await empty();
    const held = Array.from({ length: 60 }, (_, day) =>
      walletDay(walletOf(0), dayOf(day), {
        buys: day === 0 || day === 52 ? 1 : 0,
        sells: 0,
        other_events: 0,
        bought_usd: day === 0 ? "40" : "0",
        cash_usd: day === 0 ? "-40" : "0",
        open_cost_usd: "40",
        open_value_usd: String(40 + (day % 3)),
      }),
    );
    await storeDays(held);
    const read = keepBoards(store, store.stampOf);
    for (const day of [49, 50, 52, 53, 57, 58]) await expectAlike(read, day);
  });

  it("count unredeemed winnings as holdings in every window, with and without a row of the day before", async () => {
    await empty();
    const won = { open_cost_usd: "1000", open_value_usd: "1000" };
    const bought = { buys: 1, bought_usd: "600", cash_usd: "-600", realized_usd: "400", ...won };
    const lost = { buys: 1, sells: 1, bought_usd: "10", cash_usd: "-5", realized_usd: "-5", ...won };
    const neverHeld = { sells: 1, cash_usd: "60", unmatched_usd: "60", ...won };
    const ofBoth = [0, 1].flatMap((index) => [
      walletDay(walletOf(index), dayOf(0), bought),
      walletDay(walletOf(index), dayOf(50), lost),
      walletDay(walletOf(index), dayOf(53), neverHeld),
    ]);
    const daysBefore = [49, 52].map((day) => walletDay(walletOf(1), dayOf(day), won));
    await storeDays([...ofBoth, ...daysBefore]);
    for (const length of WINDOW_LENGTHS) {
      expect(await capitals(0, length), `${length} days`).toEqual([600, 600]);
      expect(await capitals(50, length), `${length} days`).toEqual([1010, 1010]);
      expect(await capitals(53, length), `${length} days`).toEqual([1000, 1000]);
    }
    const read = keepBoards(store, store.stampOf);
    for (const day of [50, 53]) await expectAlike(read, day);
  });
});
