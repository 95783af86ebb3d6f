import type { World } from "../../packages/exchange/src/world/world.ts";

/** A question of the load, as callers of the dashboard and of bots ask it. */
export type LoadQuestion = {
  readonly name: string;
  readonly agentId: number;
  readonly params: Readonly<Record<string, string>>;
  readonly limit: number;
};

const MOST = 60;
/** Turns through the lists are coprime to their lengths more often than not, and never stand still. */
const STRIDE = 7919;

/** Draws the question of a turn: trades of a wallet, of a market, candles, books, boards, catalogues, each as often. */
export function loadQuestions(world: World): (turn: number) => LoadQuestion {
  const { markets, wallets } = world.polymarket;
  const open = markets.filter(({ closed }) => !closed).slice(0, MOST);
  const tokens = open.map(({ token_ids }) => token_ids[0]);
  const conditions = markets.slice(-MOST).map(({ condition_id }) => String(condition_id));
  const owners = wallets.slice(0, MOST).map(({ address }) => String(address));
  const tickers = world.kalshi.markets.slice(-MOST).map(({ ticker }) => ticker);
  const kinds: readonly ((turn: number) => LoadQuestion)[] = [
    (turn) => ask("556 of a wallet", 556, { proxy_wallet: of(owners, turn) }),
    (turn) => ask("556 of a market", 556, { condition_id: of(conditions, turn) }),
    () => ask("556 newest", 556, {}),
    (turn) => ask("568 candles", 568, { token_id: of(tokens, turn), interval: "1m" }),
    (turn) => ask("572 books", 572, { token_id: of(tokens, turn) }, 20),
    (turn) => ask("1102 books", 1102, { ticker: of(tickers, turn) }, 20),
    (turn) => ask("573 trades", 573, { ticker: of(tickers, turn) }),
    (turn) => ask("579 board", 579, { leaderboard_period: turn % 2 === 0 ? "7d" : "1d" }, 50),
    (turn) => ask("574 markets", 574, { min_volume: String(turn % 100) }, 50),
  ];
  return (turn) => {
    const kind = kinds[turn % kinds.length];
    if (kind === undefined) throw new Error("there are no questions");
    return kind(Math.floor(turn / kinds.length));
  };
}

const of = (list: readonly string[], turn: number): string => list[(turn * STRIDE) % list.length] ?? "";

function ask(name: string, agentId: number, params: Readonly<Record<string, string>>, limit = 100): LoadQuestion {
  return { name, agentId, params, limit };
}
