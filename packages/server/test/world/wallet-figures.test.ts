import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorldStore, type WorldStore } from "../../../../scripts/accuracy/world-store.ts";
import { thoroughly } from "../../../../scripts/vitest/thoroughly.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import { turns } from "../../src/ingest/turns.ts";
import { walletWindowsRefresh } from "../../src/derivations/wallet-windows.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";

type Row = Readonly<Record<string, unknown>>;

/** A small world, with all of its wallets; its last day is today. */
const SIZE = { seed: 5, fills: 12_000, days: 25, wallets: 800, keep: undefined };
const WINDOWS = thoroughly(["1", "3", "7", "15", "30", "90", "all"], ["1", "7", "15", "all"]);
const LIST = 200;

const BOARD = {
  total_pnl: ["total_pnl", 1],
  win_rate: ["win_rate", 1],
  sharpe_ratio: ["sharpe_ratio", 1],
  total_invested: ["total_invested", 1],
  avg_trade_size: ["avg_trade_size", 1],
  total_trades: ["total_trades", 1],
  markets_traded: ["markets_traded", 1],
} as const;
const SCORES = {
  win_rate_pct_15d: ["win_rate", 100],
  sharpe_ratio_15d: ["sharpe_ratio", 1],
  total_trades_15d: ["total_trades", 1],
  markets_traded_15d: ["markets_traded", 1],
  total_pnl_15d: ["total_pnl", 1],
  total_volume_15d: ["total_invested", 1],
} as const;
const NO_FILTERS = Object.fromEntries(
  ["min_win_rate", "max_win_rate", "min_roi", "min_total_trades", "max_total_trades", "min_pnl"].map((one) => [
    `${one}_15d`,
    "ALL",
  ]),
);
const LIFE = {
  total_pnl: ["total_pnl", 1],
  total_trades: ["total_trades", 1],
  total_invested: ["total_invested", 1],
  avg_trade_size: ["avg_trade_size", 1],
  win_rate_pct: ["win_rate", 100],
} as const;

let world: WorldStore;
let query: ReturnType<typeof openTestQuery>;
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
  query = openTestQuery(world.store, () => Date.parse(`${days.last}T12:00:00Z`));
  const found = await world.store.rows<{ wallet: string }>(
    fromDefinition("SELECT DISTINCT concat('0x', lower(hex(wallet))) AS wallet FROM wallet_days ORDER BY wallet"),
  );
  wallets = found.map(({ wallet }) => wallet);
  // Boards of the last day start from sums, those of the middle add days up.
  const now = Date.parse(`${days.last}T12:00:00Z`);
  const { signal } = new AbortController();
  await walletWindowsRefresh.refresh(world.store, { now, since: undefined, isWhole: true, signal, inTurn: turns(1) });
}, 900_000);
afterAll(() => world.close());

describe("over a whole world, wallets' figures", { timeout: 600_000 }, () => {
  it.each(WINDOWS)("of %s days agree in all datasets, for a past day and the last", async (window) => {
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
        const profile = profiles.get(wallet) ?? {};
        expect(Number(row["pnl"])).toBeCloseTo(Number(profile["total_pnl"]), 1.9);
        expect(row).toMatchObject({ trades: profile["total_trades"], wins: profile["winning_trades"] });
      }
    }
  });

  it("of fifteen days are those of the scores' board", async () => {
    for (const as_of of [days.middle, days.last]) {
      const profiles = await ofAll(581, "proxy_wallet", { window_days: "15", as_of });
      const looked = await ofAll(584, "wallet", { as_of });
      expect(looked.size).toBeGreaterThan(100);
      for (const [wallet, row] of looked) expect(differing(row, profiles.get(wallet) ?? {}, SCORES)).toEqual([]);
      for (const row of await whole(584, { ...NO_FILTERS, as_of })) {
        const wallet = String(row["wallet"]);
        expect(looked.get(wallet)).toEqual(row);
      }
    }
  });

  it("of a lifetime are those of 360, and of the rows behind them", async () => {
    const profiles = await ofAll(581, "proxy_wallet", { window_days: "all" });
    const lives = await ofAll(586, "wallet_address", {});
    expect(lives.size).toBe(profiles.size);
    for (const [wallet, life] of lives) {
      const profile = profiles.get(wallet) ?? {};
      expect(differing(life, profile, LIFE)).toEqual([]);
      expect(life["last_trade"]).toBe(profile["last_active"]);
      expect(profile["pnl_status"]).not.toBe("unreconciled");
    }
    for (const wallet of wallets.slice(0, 25)) {
      const ledger = await whole(1002, { proxy_wallet: wallet });
      const cash = ledger.reduce((sum, row) => sum + Number(row["usd"]) - Number(row["fee_usd"]), 0);
      const [candle] = await whole(1003, {
        proxy_wallet: wallet,
        interval: "1m",
        start_time: days.last.slice(0, 8) + "01",
      });
      const positions = await whole(1001, { proxy_wallet: wallet, status: "ALL" });
      const gained = positions.reduce((sum, row) => sum + Number(row["realized_pnl"]), 0);
      const unrealized = positions.reduce((sum, row) => sum + Number(row["unrealized_pnl"]), 0);
      const profile = profiles.get(wallet) ?? {};
      expect(gained).toBeCloseTo(Number(profile["total_pnl"]), 4);
      expect(unrealized).toBeCloseTo(Number(profile["unrealized_pnl"]), 4);
      const held = positions.reduce((sum, row) => sum + Number(row["cost"]), 0);
      expect(cash + held).toBeCloseTo(gained, 4);
      // Values of past days are marked at these days' ends, of today at the newest price.
      if (candle !== undefined)
        expect(Number(candle["close"]) - Number(candle["open"])).toBeCloseTo(Number(candle["pnl"]), 1);
    }
  });
});

/** All rows of a question, page by page. */
async function whole(agentId: number, params: Readonly<Record<string, string>>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let offset = 0; ; offset += 1000) {
    const answer = await query.answer(agentId, { params, pagination: { limit: 1000, offset } });
    rows.push(...(JSON.parse(answer.body.toString("utf8")) as Row[]));
    if (!answer.hasMore) return rows;
  }
}

/** The only row of each wallet, asked in lists. */
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

/** Fields of a dataset that do not say what 360 says, rounded: text, the field of 360, and what it is to be multiplied by. */
function differing(row: Row, profile: Row, fields: Readonly<Record<string, readonly [string, number]>>): string[] {
  return Object.entries(fields)
    .filter(([field, [theirs, factor]]) => {
      const [text, value] = [row[field], profile[theirs]];
      if (text === null || value === null) return text !== value;
      const places = /\.(\d+)$/.exec(String(text))?.[1]?.length ?? 0;
      return Math.abs(Number(text) - Number(value) * factor) > 0.5 * 10 ** -places + 2e-6;
    })
    .map(([field, [theirs]]) => `${field} ${String(row[field])} ${theirs} ${String(profile[theirs])}`);
}
