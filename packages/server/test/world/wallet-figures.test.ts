import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorldStore, type WorldStore } from "../../../../scripts/accuracy/world-store.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import { polymarketIncome } from "../../src/tables/polymarket-income.ts";
import { incomeOf, ledgerQuestions } from "../fixtures/ledger-questions.ts";
import { openServedQuery } from "../fixtures/open-served-query.ts";
import { openTestQuery, type Question } from "../fixtures/open-test-query.ts";
import { saidBy } from "../fixtures/read-columnar.ts";
import { scoreQuestions } from "./score-questions.ts";

type Row = Readonly<Record<string, unknown>>;

/** A small world, with all of its wallets; its last day is today. */
const SIZE = { seed: 5, fills: 12_000, days: 25, wallets: 800, keep: undefined };
const WINDOWS = thoroughly(["1", "3", "7", "15", "30", "90", "all"], ["1", "7", "15", "all"]);
const LIST = 200;
/** The ten wallets before this index have income; they are not among those whose cash is compared with their profit. */
const INCOME_TO = 60;
const BOARDS = [
  {},
  { min_total_pnl: "0", max_win_rate: "0.7" },
  { min_win_rate: "0.5", max_total_pnl: "100.5", min_total_trades: "3", max_total_trades: "40" },
  { min_sharpe_ratio: "-2.5", max_total_pnl: "1000" },
  { max_sharpe_ratio: "3.25", min_sharpe_ratio: "0" },
];
const FORMATS = ["raw", "typed", "ndjson", "csv", "parquet", "arrow"] as const;

/** A field of a dataset: the matching field of 360, its factor, and the maximum that 360 shows (after the factor). */
type Fields = Readonly<Record<string, readonly [string, number, number?]>>;

const BOARD: Fields = {
  total_pnl: ["total_pnl", 1],
  roi: ["roi", 0.01, 10],
  win_rate: ["win_rate", 1],
  sharpe_ratio: ["sharpe_ratio", 1],
  total_invested: ["total_invested", 1],
  avg_trade_size: ["avg_trade_size", 1],
  total_trades: ["total_trades", 1],
  markets_traded: ["markets_traded", 1],
  sharpe_probability: ["sharpe_probability", 1],
  fees: ["fees", 1],
};
const SCORES: Fields = {
  roi_pct_15d: ["roi", 1, 1000],
  win_rate_pct_15d: ["win_rate", 100],
  sharpe_ratio_15d: ["sharpe_ratio", 1],
  total_trades_15d: ["total_trades", 1],
  markets_traded_15d: ["markets_traded", 1],
  total_pnl_15d: ["total_pnl", 1],
  total_volume_15d: ["total_invested", 1],
  pnl_30d: ["pnl_last_30day", 1],
  sharpe_probability: ["sharpe_probability", 1],
  fees: ["fees", 1],
};
const SUMS: Fields = {
  pnl: ["total_pnl", 1],
  invested: ["total_invested", 1],
  trades: ["total_trades", 1],
  wins: ["winning_trades", 1],
  losses: ["losing_trades", 1],
  win_rate: ["wins_by_trades", 100, 100],
  fees: ["fees", 1],
};
const NO_FILTERS = Object.fromEntries(
  ["min_win_rate", "max_win_rate", "min_roi", "min_total_trades", "max_total_trades", "min_pnl"].map((one) => [
    `${one}_15d`,
    "ALL",
  ]),
);
const LIFE: Fields = {
  total_pnl: ["total_pnl", 1],
  roi_pct: ["roi", 1, 1000],
  avg_pnl_per_trade: ["pnl_by_trades", 1],
  total_trades: ["total_trades", 1],
  total_invested: ["total_invested", 1],
  avg_trade_size: ["avg_trade_size", 1],
  win_rate_pct: ["win_rate", 100],
  fees: ["fees", 1],
};

let world: WorldStore;
let query: ReturnType<typeof openTestQuery>;
let opened: ReturnType<typeof openServedQuery> | undefined;
let days: { first: string; middle: string; last: string };
let wallets: string[];

beforeAll(async () => {
  world = await openWorldStore(SIZE);
  const [span] = await world.store.rows<{ first: string; middle: string; last: string }>(
    fromDefinition(
      "SELECT toString(min(day)) AS first, toString(max(day) - 8) AS middle, toString(max(day)) AS last FROM wallet_days FINAL WHERE NOT is_gone",
    ),
  );
  if (span === undefined) throw new Error("no days");
  days = span;
  query = openTestQuery(world.store, afterAllDays);
  const found = await world.store.rows<{ wallet: string }>(
    fromDefinition("SELECT DISTINCT concat('0x', lower(hex(wallet))) AS wallet FROM wallet_days ORDER BY wallet"),
  );
  wallets = found.map(({ wallet }) => wallet);
  await world.store.insert(
    polymarketIncome,
    wallets.slice(INCOME_TO - 10, INCOME_TO).flatMap((wallet) => incomeOf(wallet, days.middle)),
  );
}, 900_000);
afterAll(async () => {
  await (await opened)?.close();
  await world.close();
});

describe("wallet figures over a complete world", { timeout: 600_000 }, () => {
  it.each(WINDOWS)("of %s days agree in all datasets, as of a past day and the last one", async (window) => {
    for (const as_of of [days.middle, days.last]) {
      const profiles = await ofAll(581, "proxy_wallet", { window_days: window, as_of });
      const active = [...profiles.values()].filter((row) => Number(row["total_trades"]) > 0);
      expect(active.length).toBeGreaterThan(Number(window) < 7 ? 5 : 100);
      const board = await whole(579, { leaderboard_period: window === "all" ? "all" : `${window}d`, as_of });
      expect(board.map((row) => row["rank"])).toEqual(board.map((_, at) => at + 1));
      for (const place of board) {
        const profile = profiles.get(String(place["address"])) ?? {};
        expect(differing(place, profile, BOARD)).toEqual([]);
      }
      const start_time = window === "all" ? days.first : String(active[0]?.["date_range_start"]).slice(0, 10);
      const sums = await ofAll(569, "proxy_wallet", { granularity: "all", start_time, end_time: as_of });
      expect(sums.size).toBe(board.length);
      for (const [wallet, row] of sums) {
        expect(differing(row, byTrades(profiles.get(wallet)), SUMS)).toEqual([]);
      }
    }
  });

  it("of fifteen days equal those of the score leaderboard", async () => {
    for (const as_of of [days.middle, days.last]) {
      const profiles = await ofAll(581, "proxy_wallet", { window_days: "15", as_of });
      const looked = await ofAll(584, "wallet", { as_of });
      expect(looked.size).toBeGreaterThan(100);
      for (const [wallet, row] of looked) {
        const profile = profiles.get(wallet) ?? {};
        expect(differing(row, profile, SCORES)).toEqual([]);
        // 584 reports wallets without trades as stable, whatever became of their holdings.
        if (Number(row["total_trades_15d"]) > 0) expect(row["trajectory"]).toBe(profile["performance_trend"]);
      }
      for (const row of await whole(584, { ...NO_FILTERS, as_of })) {
        const wallet = String(row["wallet"]);
        expect(looked.get(wallet)).toEqual(row);
      }
    }
  });

  it("are byte-identical from the index and from the engine", async () => {
    const served = await openServed();
    const requested = wallets.slice(0, 60);
    for (const [at, wallet] of requested.entries()) {
      for (const params of byKeyOf(wallet, at))
        await isSame(581, { params, format: FORMATS[at % FORMATS.length] ?? "raw" });
    }
    for (const [at, leaderboard_period] of ["1d", "7d", "90d", "all"].entries())
      for (const filters of BOARDS)
        for (const as_of of [days.middle, days.last]) {
          const params = { leaderboard_period, as_of, ...filters };
          const format = FORMATS[at % FORMATS.length] ?? "raw";
          const next = await isSame(579, { params, format, pagination: { limit: 20, offset: at } });
          if (next !== null) await isSame(579, { params, format, pagination: { limit: 20, cursor: next } });
        }
    expect(
      (await served.rows(579, { params: { wallet_address: requested.slice(0, 9).join(",") } })).length,
    ).toBeGreaterThan(0);
    const questions = scoreQuestions([days.first, days.middle, days.last], await pools(), [
      ...(await query.rows(584, { params: { ...NO_FILTERS, as_of: days.last } })).map((row) => String(row["wallet"])),
      ...requested.slice(0, 20),
      `0x${"ab".repeat(20)}`,
    ]);
    for (const question of questions) {
      const next = await isSame(584, question);
      if (next !== null) await isSame(584, { ...question, pagination: { limit: 20, cursor: next } });
    }
    expect(served.failures).toEqual([]);
    expect(served.counts.engine).toBe(0);
  });

  it("for positions and ledgers are byte-identical from the index and from the engine", async () => {
    const served = await openServed();
    for (const [at, wallet] of wallets.slice(0, INCOME_TO).entries()) {
      const format = FORMATS[at % FORMATS.length] ?? "raw";
      const held = await query.rows(1001, { params: { proxy_wallet: wallet, status: "ALL" } });
      // Some wallets are requested together, because the rows of all of them share one order.
      const together = at % 5 === 0 ? wallets.slice(at, at + 4).join(",") : wallet;
      for (const [agentId, params] of ledgerQuestions(at, { wallet: together, held }, days)) {
        const limit = 3 + (at % 40);
        let next = await isSame(agentId, { params, format, pagination: { limit, offset: at % 4 } });
        for (let pages = 0; next !== null && pages < 3; pages += 1)
          next = await isSame(agentId, { params, format, pagination: { limit, cursor: next } });
      }
    }
    const proxy_wallet = wallets.slice(INCOME_TO - 20, INCOME_TO).join(",");
    const kinds = new Set(
      (await served.rows(1002, { params: { proxy_wallet }, pagination: { limit: 5000 } })).map((row) => row["kind"]),
    );
    expect([...kinds]).toEqual(expect.arrayContaining(["buy", "sell", "resolution", "reward"]));
    expect(served.failures).toEqual([]);
    expect(served.counts.engine).toBe(0);
  });

  it("of a lifetime equal those of 360 and the sums of the underlying rows", async () => {
    const profiles = await ofAll(581, "proxy_wallet", { window_days: "all" });
    const lives = await ofAll(586, "wallet_address", {});
    expect(lives.size).toBe(profiles.size);
    for (const [wallet, life] of lives) {
      const profile = profiles.get(wallet) ?? {};
      expect(differing(life, byTrades(profile), LIFE)).toEqual([]);
      expect(life["last_trade"]).toBe(profile["last_active"]);
      expect(profile["pnl_status"]).not.toBe("unreconciled");
    }
    for (const wallet of wallets.slice(0, 25)) {
      const ledger = await whole(1002, { proxy_wallet: wallet });
      const cash = ledger.reduce((sum, row) => sum + Number(row["usd"]) - Number(row["fee_usd"]), 0);
      const [candle] = await whole(1003, {
        proxy_wallet: wallet,
        interval: "1M",
        start_time: days.last.slice(0, 8) + "01",
      });
      const positions = await whole(1001, { proxy_wallet: wallet, status: "ALL" });
      const gained = positions.reduce((sum, row) => sum + Number(row["realized_pnl"]), 0);
      const fees = positions.reduce((sum, row) => sum + Number(row["fees"]), 0);
      const unrealized = positions.reduce((sum, row) => sum + Number(row["unrealized_pnl"]), 0);
      const profile = profiles.get(wallet) ?? {};
      expect(gained).toBeCloseTo(Number(profile["total_pnl"]), 4);
      expect(fees).toBeCloseTo(Number(profile["fees"]), 6);
      expect(unrealized).toBeCloseTo(Number(profile["unrealized_pnl"]), 4);
      const held = positions.reduce((sum, row) => sum + Number(row["cost"]), 0);
      expect(cash + held).toBeCloseTo(gained, 4);
      // Past days are valued at their closing marks, today at the newest price.
      if (candle !== undefined)
        expect(Number(candle["close"]) - Number(candle["open"])).toBeCloseTo(Number(candle["pnl"]), 1);
    }
  });
});

/** Categories in two letter cases, and one that does not exist. */
async function pools(): Promise<string[]> {
  const found = await world.store.rows<{ category: string }>(
    fromDefinition("SELECT DISTINCT category FROM wallet_scores WHERE category != '' ORDER BY category LIMIT 3"),
  );
  return ["Of Nothing", ...found.flatMap(({ category }) => [category, category.toUpperCase()])];
}

/** A time after the last day, so that every day is over, as it was when the figures were derived. */
const afterAllDays = (): number => Date.parse(`${days.last}T12:00:00Z`) + 86_400_000;

/** Opened by the first test that uses it. */
const openServed = (): ReturnType<typeof openServedQuery> => (opened ??= openServedQuery(world.store, afterAllDays));

/** Expects both ways to give the same answer, and returns its next cursor. */
async function isSame(agentId: number, question: Question): Promise<string | null> {
  const served = await openServed();
  const [wanted, found] = [await query.answer(agentId, question), await served.answer(agentId, question)].map(saidBy);
  expect(found?.body, JSON.stringify([agentId, question])).toBe(wanted?.body);
  expect([found?.hasMore, found?.etag]).toEqual([wanted?.hasMore, wanted?.etag]);
  return found?.nextCursor ?? null;
}

/** Windows and days in rotation. */
const byKeyOf = (proxy_wallet: string, at: number) =>
  [days.middle, days.last].map((as_of, place) => ({
    proxy_wallet,
    window_days: String(WINDOWS[(at + place) % WINDOWS.length]),
    as_of,
  }));

/** All rows of a query, page by page. */
async function whole(agentId: number, params: Readonly<Record<string, string>>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let offset = 0; ; offset += 1000) {
    const answer = await query.answer(agentId, { params, pagination: { limit: 1000, offset } });
    rows.push(...(JSON.parse(answer.body.toString("utf8")) as Row[]));
    if (!answer.hasMore) return rows;
  }
}

/** The only row of each wallet, requested in lists. */
async function ofAll(
  agentId: number,
  column: string,
  params: Readonly<Record<string, string>>,
): Promise<Map<string, Row>> {
  const found = new Map<string, Row>();
  for (let at = 0; at < wallets.length; at += LIST) {
    const list = wallets.slice(at, at + LIST).join(",");
    for (const row of await query.rows(agentId, { params: { ...params, wallet: list }, pagination: { limit: LIST } })) {
      expect(found.has(String(row[column]))).toBe(false);
      found.set(String(row[column]), row);
    }
  }
  return found;
}

/** A row of 360 with wins and profit per trade (null without trades), which 360 does not have. */
function byTrades(profile: Row = {}): Row {
  const trades = Number(profile["total_trades"]);
  const each = (sum: unknown): number | null => (trades === 0 ? null : Number(sum) / trades);
  return {
    ...profile,
    wins_by_trades: each(profile["winning_trades"]),
    pnl_by_trades: each(profile["total_pnl"]),
  };
}

/** Fields of a dataset that differ from the rounded fields of 360. */
function differing(row: Row, profile: Row, fields: Fields): string[] {
  return Object.entries(fields)
    .filter(([field, [theirs, factor, most = Infinity]]) => {
      const [text, value] = [row[field], profile[theirs]];
      if (text === null || value === null) return text !== value;
      const places = /\.(\d+)$/.exec(String(text))?.[1]?.length ?? 0;
      const differs = Math.min(Number(text), most) - Math.min(Number(value) * factor, most);
      return !(Math.abs(differs) <= 0.5 * 10 ** -places + 2e-6);
    })
    .map(([field, [theirs]]) => `${field} ${String(row[field])} ${theirs} ${String(profile[theirs])}`);
}
