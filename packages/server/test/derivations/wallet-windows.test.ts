import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/thoroughly.ts";
import { bind, fromDefinition, sql } from "../../src/definition/sql.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { turns } from "../../src/ingest/turns.ts";
import { walletWindowsRefresh } from "../../src/derivations/wallet-windows.ts";
import { boardSql } from "../../src/derivations/wallet-window/board-sql.ts";
import { walletReturnsSql } from "../../src/derivations/wallet-window/figures-sql.ts";
import { lengthOf, WINDOW_LENGTHS } from "../../src/derivations/wallet-window/wallet-window.ts";
import { table } from "../fixtures/sample-rows.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { walletDay } from "../fixtures/wallet-day-rows.ts";

const WALLETS = 12;
/** The shortest, one that begins among the days, one that begins before them in most tests, and all. */
const COMPARED = thoroughly<readonly string[]>(WINDOW_LENGTHS, ["1", "7", "90", "all"]);
const FIRST = Date.UTC(2026, 0, 1);
const FIGURES = fromDefinition(
  "hex(wallet) AS wallet, toInt64(trades) AS trades, toInt64(events) AS events, toInt64(wins) AS wins, toInt64(losses) AS losses, toString(invested_usd) AS invested, toString(pnl_usd) AS pnl, toString(win_rate) AS win_rate, toString(roi) AS roi, toString(avg_trade_usd) AS average, toString(sharpe) AS sharpe",
);

const dayOf = (day: number): string => new Date(FIRST + day * 86_400_000).toISOString().slice(0, 10);
const walletOf = (index: number): string =>
  `0x${String(index + 1)
    .padStart(2, "0")
    .repeat(20)}`;

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => (store = await openTestStore()));
afterAll(() => store.close());

/** Days as chance has it: only so far as sums of them go do they fit together. */
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
    bought: fc.integer({ min: 0, max: 90_000 }),
    value: fc.integer({ min: 0, max: 30_000 }),
    isGone: fc.integer({ min: 0, max: 9 }),
  });
  const keyed = new Map(
    fc.sample(row, { numRuns: 600, seed }).map((one) => [`${one.wallet} ${one.day}`, one] as const),
  );
  return [...keyed.values()].map(({ wallet, day, cents, bought, value, isGone, ...counts }) =>
    walletDay(walletOf(wallet), dayOf(day), {
      ...counts,
      realized_usd: (cents / 100).toFixed(2),
      bought_usd: counts.buys > 0 ? (bought / 100).toFixed(2) : "0",
      cash_usd: (-bought / 300).toFixed(2),
      open_value_usd: (value / 100).toFixed(2),
      open_cost_usd: (value / 120).toFixed(2),
      is_gone: isGone === 0,
    }),
  );
};

/** Rows of the last minute are not sure to be in sums: what is to be taken from these was stored before. */
async function storeLongAgo(rows: readonly InsertRow[]): Promise<void> {
  const version = String((Date.now() - 3_600_000) * 1000);
  await store.append(
    table("wallet_days"),
    rows.map((row) => ({ ...row, version })),
  );
  await store.run(fromDefinition("INSERT INTO wallet_days_by_wallet SELECT * FROM wallet_days"));
}

async function empty(): Promise<void> {
  for (const name of ["wallet_days", "wallet_days_by_wallet", "wallet_windows"])
    await store.run(fromDefinition(`TRUNCATE TABLE ${name}`));
}

const refresh = (day: number, since: number | undefined): Promise<number> =>
  walletWindowsRefresh.refresh(store, {
    now: FIRST + day * 86_400_000 + 12 * 3_600_000,
    since,
    isWhole: false,
    signal: new AbortController().signal,
    inTurn: turns(1),
  });

/** Boards of a day, from the sums and from the days alone, do not differ. */
async function expectAlike(day: number): Promise<void> {
  for (const length of COMPARED) {
    const window = { days: lengthOf(bind("String", length)), asOf: sql`toDate(${bind("String", dayOf(day))})` };
    const from = await store.rows(sql`SELECT ${FIGURES} FROM ${boardSql(window, true)} ORDER BY wallet`);
    const plain = await store.rows(
      sql`SELECT hex(wallet) AS wallet, toString(pnl_usd) AS pnl FROM ${boardSql(window, false)} ORDER BY wallet`,
    );
    const days = await store.rows<{ wallet: string; pnl: string }>(
      sql`SELECT ${FIGURES} FROM ${walletReturnsSql(window)} ORDER BY wallet`,
    );
    expect(from, `${length} days up to ${dayOf(day)}`).toEqual(days);
    expect(plain).toEqual(days.map(({ wallet, pnl }) => ({ wallet, pnl })));
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

const sets = (): Promise<Record<string, unknown>[]> =>
  store.rows(
    fromDefinition("SELECT toString(day) AS day FROM wallet_windows WHERE period = 'set' GROUP BY day ORDER BY day"),
  );

const sumsOf = (day: number): Promise<Record<string, unknown>[]> =>
  store.rows(
    sql`SELECT * EXCEPT (version, content) FROM wallet_windows FINAL WHERE day = ${bind("Date", dayOf(day))} AND period != 'set' AND events > 0 ORDER BY period, wallet`,
  );

describe("boards over sums of windows", { timeout: 300_000 }, () => {
  it("say what the days say, whatever came since the sums were made", async () => {
    await storeLongAgo(someDays(0, 120, 1));
    await expectAlike(120);
    expect(await refresh(110, undefined)).toBe(1);
    expect(await sets()).toEqual([{ day: dayOf(109) }]);
    for (const day of [109, 112, 120]) await expectAlike(day);

    // Late rows, rows taken back and rows of new days, which the sums do not know.
    await store.insert(table("wallet_days"), someDays(20, 119, 2));
    await expectAlike(110);
    expect(await refresh(110, 1)).toBe(WALLETS);
    await expectAlike(110);

    expect(await refresh(112, 1)).toBe(1);
    expect(await sets()).toEqual([{ day: dayOf(111) }]);
    await expectAlike(113);
    const stepped = await sumsOf(111);
    expect(stepped.length).toBeGreaterThan(3 * WALLETS);
    await refresh(112, undefined);
    expect(await sumsOf(111)).toEqual(stepped);
  });

  it("count the returns of wallets that only held", async () => {
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
    await storeLongAgo(held);
    await refresh(50, undefined);
    for (const day of [49, 52, 53]) await expectAlike(day);
    for (const day of [51, 53, 58]) {
      await refresh(day, 1);
      await expectAlike(day - 1);
      await expectAlike(day);
    }
  });

  it("take what was won and not redeemed for held, with and without a row of the day before, in every window", async () => {
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
    await storeLongAgo([...ofBoth, ...daysBefore]);
    for (const length of WINDOW_LENGTHS) {
      expect(await capitals(0, length), `${length} days`).toEqual([600, 600]);
      expect(await capitals(50, length), `${length} days`).toEqual([1010, 1010]);
      expect(await capitals(53, length), `${length} days`).toEqual([1000, 1000]);
    }
    await refresh(51, undefined);
    for (const day of [50, 53]) await expectAlike(day);
  });
});
