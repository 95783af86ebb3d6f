import type { Store } from "../../packages/server/src/store/store.ts";
import type { BenchQuestion } from "./ask-question.ts";
import { fillIn, readIds } from "./question-values.ts";

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 4, 20);
const WORDS = ["will", "win", "bitcoin", "up or down", "election"];
const WINDOWS = ["1", "3", "7", "15", "30", "90", "all"];

/** The queries of each dataset. A name in angle brackets has a different value each turn, see `benchQuestions`. */
const REQUESTED: readonly [name: string, limit: number, params: Readonly<Record<string, string>>][] = [
  ["574 largest markets", 50, { min_volume: "<volume>", closed: "<closed>" }],
  ["574 search by words", 50, { market_slug: "<words>", min_volume: "<up_to_500>" }],
  ["556 newest of all", 100, { min_usd: "<up_to_7>" }],
  ["556 of a wallet", 100, { proxy_wallet: "<wallet>" }],
  ["556 of a market", 100, { condition_id: "<condition>" }],
  ["556 of a token in a day", 100, { token_id: "<token>", start_time: "<begin>", end_time: "<a_day_later>" }],
  ["568 newest minutes", 500, { token_id: "<token>" }],
  [
    "568 30 days of hours",
    720,
    { token_id: "<token>", interval: "1h", start_time: "<begin>", end_time: "<a_month_later>" },
  ],
  ["572 newest books", 50, { token_id: "<book>", depth: "<depth>" }],
  ["572 book at a moment", 1, { token_id: "<book>", start_time: "<begin>", end_time: "<begin>" }],
  ["565 most traded markets", 50, { close_time_min: "<begin>" }],
  ["573 of a market", 100, { ticker: "<ticker>", min_count: "<up_to_3>" }],
  ["569 days of a wallet", 200, { wallet: "<wallet>" }],
  ["569 weeks, first in first out", 200, { wallet: "<wallet>", granularity: "1w", method: "fifo" }],
  ["581 a wallet, 7 days", 1, { proxy_wallet: "<wallet>", as_of: "<day>" }],
  ["581 a wallet, any window", 1, { proxy_wallet: "<wallet>", window_days: "<window>", as_of: "<day>" }],
  ["586 a wallet", 1, { wallet_address: "<wallet>" }],
  ["1001 open positions", 100, { wallet: "<wallet>" }],
  ["1002 ledger of a wallet", 100, { wallet: "<wallet>" }],
  ["1003 equity of a wallet", 200, { wallet: "<wallet>" }],
  ["1006 score of a wallet", 100, { wallet: "<wallet>" }],
  ["579 board, 7 days", 50, { as_of: "<day>" }],
  ["579 board, 90 days", 50, { leaderboard_period: "90d", as_of: "<day>" }],
  ["579 board, all", 50, { leaderboard_period: "all", as_of: "<day>" }],
  ["584 scores", 50, { as_of: "<day>", min_pnl_15d: "0", min_total_trades_15d: "20" }],
  ["575 largest markets", 50, { min_volume_24h: "<up_to_500>" }],
  ["575 a market", 1, { condition_id: "<condition>" }],
  ["596 a token, 30 days", 100, { token_id: "<token>", lookback_hours: "4000" }],
  ["596 all tokens, a day", 100, { start_time: "<recent>", end_time: "<a_day_after_recent>" }],
  ["596 all, robust, a day", 100, { method: "robust", start_time: "<recent>", end_time: "<a_day_after_recent>" }],
  ["1004 holders of a market", 100, { condition_id: "<condition>" }],
  ["1005 calibration", 100, {}],
];

const at = (list: readonly string[], turn: number): string => list[(turn * 7919) % list.length] ?? "";
const begin = (turn: number): number => FIRST_DAY + ((turn * 37) % 120) * DAY_MS;
const iso = (ms: number): string => new Date(ms).toISOString();

/** The queries of each dataset, over ids drawn from the store so that no two consecutive turns are alike. */
export async function benchQuestions(store: Store): Promise<BenchQuestion[]> {
  const { lastDay, wallets, tokens, conditions, tickers, books } = await readIds(store);
  const recent = (turn: number): number => lastDay - ((turn % 14) + 2) * DAY_MS;
  const values: Readonly<Record<string, (turn: number) => string>> = {
    wallet: (turn) => at(wallets, turn),
    token: (turn) => at(tokens, turn),
    condition: (turn) => at(conditions, turn),
    ticker: (turn) => at(tickers, turn),
    book: (turn) => at(books, turn),
    window: (turn) => at(WINDOWS, turn),
    words: (turn) => WORDS[turn % WORDS.length] ?? "",
    closed: (turn) => (turn % 2 ? "True" : "False"),
    volume: (turn) => String(100 + (turn % 500)),
    depth: (turn) => String(10 + (turn % 20)),
    up_to_3: (turn) => String(turn % 3),
    up_to_7: (turn) => String(turn % 7),
    up_to_500: (turn) => String(turn % 500),
    begin: (turn) => iso(begin(turn)),
    a_day_later: (turn) => iso(begin(turn) + DAY_MS),
    a_month_later: (turn) => iso(begin(turn) + 30 * DAY_MS),
    day: (turn) => iso(lastDay - (turn % 28) * DAY_MS).slice(0, 10),
    recent: (turn) => iso(recent(turn)),
    a_day_after_recent: (turn) => iso(recent(turn) + DAY_MS),
  };
  const valueOf = (name: string, turn: number): string => values[name]?.(turn) ?? "";
  return REQUESTED.map(([name, limit, params]) => {
    return { name, agentId: Number.parseInt(name, 10), limit, params: fillIn(params, valueOf) };
  });
}
