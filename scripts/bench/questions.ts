import { sql } from "../../packages/server/src/definition/sql.ts";
import type { Store } from "../../packages/server/src/store/store.ts";
import type { BenchQuestion } from "./ask-question.ts";
import { derivedQuestions } from "./derived-questions.ts";

const SAMPLE = 500;

async function sample(store: Store, statement: ReturnType<typeof sql>): Promise<string[]> {
  const rows = await store.rows<{ v: string }>(statement, { settings: { max_execution_time: 120, max_threads: 2 } });
  if (rows.length === 0) throw new Error("the store has too few rows for this benchmark");
  return rows.map((row) => row.v);
}

type Ids = {
  readonly wallets: readonly string[];
  readonly tokens: readonly string[];
  readonly conditions: readonly string[];
  readonly tickers: readonly string[];
  readonly books: readonly string[];
};

export async function readIds(store: Store): Promise<Ids> {
  const wallets = await sample(
    store,
    sql`SELECT concat('0x', lower(hex(wallet))) AS v FROM polymarket_fills_by_wallet GROUP BY wallet HAVING count() > 20 ORDER BY cityHash64(wallet) LIMIT 500`,
  );
  const tokens = await sample(
    store,
    sql`SELECT toString(token_id) AS v FROM polymarket_candles_1m GROUP BY token_id HAVING count() > 20 ORDER BY cityHash64(token_id) LIMIT 500`,
  );
  const conditions = await sample(
    store,
    sql`SELECT concat('0x', lower(hex(condition_id))) AS v FROM polymarket_markets WHERE volume_total > 100 ORDER BY cityHash64(condition_id) LIMIT 500`,
  );
  const tickers = await sample(
    store,
    sql`SELECT ticker AS v FROM kalshi_trades_by_ticker GROUP BY ticker HAVING count() > 5 ORDER BY cityHash64(ticker) LIMIT 500`,
  );
  const books = await sample(
    store,
    sql`SELECT instrument AS v FROM book_events WHERE venue = 'polymarket' AND kind = 'snapshot' GROUP BY instrument ORDER BY count() DESC LIMIT 100`,
  );
  return { wallets, tokens, conditions, tickers, books };
}

const FIRST_DAY = Date.UTC(2026, 4, 20);
const at = (list: readonly string[], turn: number): string => list[(turn * 7919) % list.length] ?? "";
const day = (turn: number): string => new Date(FIRST_DAY + ((turn * 37) % 120) * 86_400_000).toISOString();
const later = (turn: number, hours: number): string =>
  new Date(Date.parse(day(turn)) + hours * 3_600_000).toISOString();

/** The questions of each dataset, over ids drawn from the store so that no two turns in a row are alike. */
export async function benchQuestions(store: Store): Promise<BenchQuestion[]> {
  const ids = await readIds(store);
  return [...polymarketQuestions(ids), ...bookAndKalshiQuestions(ids), ...(await derivedQuestions(store, ids))];
}

function polymarketQuestions({ wallets, tokens, conditions }: Ids): BenchQuestion[] {
  return [
    {
      name: "574 largest markets",
      agentId: 574,
      params: (turn) => ({ min_volume: String(100 + (turn % SAMPLE)), closed: turn % 2 ? "True" : "False" }),
      limit: 50,
    },
    {
      name: "574 search by words",
      agentId: 574,
      params: (turn) => ({
        market_slug: ["will", "win", "bitcoin", "up or down", "election"][turn % 5] ?? "",
        min_volume: String(turn % SAMPLE),
      }),
      limit: 50,
    },
    { name: "556 newest of all", agentId: 556, params: (turn) => ({ min_usd: String(turn % 7) }), limit: 100 },
    { name: "556 of a wallet", agentId: 556, params: (turn) => ({ proxy_wallet: at(wallets, turn) }), limit: 100 },
    { name: "556 of a market", agentId: 556, params: (turn) => ({ condition_id: at(conditions, turn) }), limit: 100 },
    {
      name: "556 of a token in a day",
      agentId: 556,
      params: (turn) => ({ token_id: at(tokens, turn), start_time: day(turn), end_time: later(turn, 24) }),
      limit: 100,
    },
    { name: "568 newest minutes", agentId: 568, params: (turn) => ({ token_id: at(tokens, turn) }), limit: 500 },
    {
      name: "568 30 days of hours",
      agentId: 568,
      params: (turn) => ({
        token_id: at(tokens, turn),
        interval: "1h",
        start_time: day(turn),
        end_time: later(turn, 720),
      }),
      limit: 720,
    },
  ];
}

function bookAndKalshiQuestions({ books, tickers }: Ids): BenchQuestion[] {
  return [
    {
      name: "572 newest books",
      agentId: 572,
      params: (turn) => ({ token_id: at(books, turn), depth: String(10 + (turn % 20)) }),
      limit: 50,
    },
    {
      name: "572 book at a moment",
      agentId: 572,
      params: (turn) => ({ token_id: at(books, turn), start_time: day(turn), end_time: day(turn) }),
      limit: 1,
    },
    { name: "565 most traded markets", agentId: 565, params: (turn) => ({ close_time_min: day(turn) }), limit: 50 },
    {
      name: "573 of a market",
      agentId: 573,
      params: (turn) => ({ ticker: at(tickers, turn), min_count: String(turn % 3) }),
      limit: 100,
    },
  ];
}
