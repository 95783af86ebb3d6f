import { datasets } from "../../packages/server/src/catalogue.ts";
import { sql } from "../../packages/server/src/definition/sql.ts";
import type { Store } from "../../packages/server/src/store/store.ts";
import type { BenchQuestion } from "./ask-question.ts";

type Params = BenchQuestion["params"];
type Kind = readonly [name: string, agentId: number, limit: number, params: Params];
type Ids = {
  readonly wallets: readonly string[];
  readonly tokens: readonly string[];
  readonly conditions: readonly string[];
};

const DAYS = ["1", "3", "7", "15", "30", "90", "all"];
const at = (list: readonly string[], turn: number): string => list[(turn * 7919) % list.length] ?? "";

/**
 * The questions of what is worked out from the ledger, of those datasets that there are. Days lie in the world's last
 * four weeks.
 */
export async function derivedQuestions(store: Store, ids: Ids): Promise<BenchQuestion[]> {
  const [found] = await store.rows<{ last: string }>(
    sql`SELECT toString(max(toDate(ts, 'UTC'))) AS last FROM polymarket_fills`,
  );
  const last = Date.parse(found?.last ?? "");
  const day = (turn: number): string => new Date(last - (turn % 28) * 86_400_000).toISOString().slice(0, 10);
  const offered = new Set(datasets.map(({ agentId }) => agentId));
  return [...walletKinds(ids, day), ...boardKinds(day), ...marketKinds(ids, last)]
    .filter(([, agentId]) => offered.has(agentId))
    .map(([name, agentId, limit, params]) => ({ name, agentId, limit, params }));
}

function walletKinds({ wallets }: Ids, day: (turn: number) => string): readonly Kind[] {
  return [
    ["569 days of a wallet", 569, 200, (turn) => ({ wallet: at(wallets, turn) })],
    [
      "569 weeks, first in first out",
      569,
      200,
      (turn) => ({ wallet: at(wallets, turn), granularity: "1w", method: "fifo" }),
    ],
    ["581 a wallet, 7 days", 581, 1, (turn) => ({ proxy_wallet: at(wallets, turn), as_of: day(turn) })],
    [
      "581 a wallet, any window",
      581,
      1,
      (turn) => ({ proxy_wallet: at(wallets, turn), window_days: at(DAYS, turn), as_of: day(turn) }),
    ],
    ["586 a wallet", 586, 1, (turn) => ({ wallet_address: at(wallets, turn) })],
    ["1001 open positions", 1001, 100, (turn) => ({ wallet: at(wallets, turn) })],
    ["1002 ledger of a wallet", 1002, 100, (turn) => ({ wallet: at(wallets, turn) })],
    ["1003 equity of a wallet", 1003, 200, (turn) => ({ wallet: at(wallets, turn) })],
    ["1006 score of a wallet", 1006, 100, (turn) => ({ wallet: at(wallets, turn) })],
  ];
}

function boardKinds(day: (turn: number) => string): readonly Kind[] {
  return [
    ["579 board, 7 days", 579, 50, (turn) => ({ as_of: day(turn) })],
    ["579 board, 90 days", 579, 50, (turn) => ({ leaderboard_period: "90d", as_of: day(turn) })],
    ["579 board, all", 579, 50, (turn) => ({ leaderboard_period: "all", as_of: day(turn) })],
    ["584 scores", 584, 50, (turn) => ({ as_of: day(turn), min_pnl_15d: "0", min_total_trades_15d: "20" })],
  ];
}

function marketKinds({ tokens, conditions }: Ids, last: number): readonly Kind[] {
  const from = (turn: number): string => new Date(last - ((turn % 14) + 2) * 86_400_000).toISOString();
  const to = (turn: number): string => new Date(last - ((turn % 14) + 1) * 86_400_000).toISOString();
  return [
    ["575 largest markets", 575, 50, (turn) => ({ min_volume_24h: String(turn % 500) })],
    ["575 a market", 575, 1, (turn) => ({ condition_id: at(conditions, turn) })],
    ["596 a token, 30 days", 596, 100, (turn) => ({ token_id: at(tokens, turn), lookback_hours: "4000" })],
    ["596 all tokens, a day", 596, 100, (turn) => ({ start_time: from(turn), end_time: to(turn) })],
    ["596 all, robust, a day", 596, 100, (turn) => ({ method: "robust", start_time: from(turn), end_time: to(turn) })],
    ["1004 holders of a market", 1004, 100, (turn) => ({ condition_id: at(conditions, turn) })],
    ["1005 calibration", 1005, 100, () => ({})],
  ];
}
