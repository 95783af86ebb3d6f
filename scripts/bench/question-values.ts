import { sql, type Sql } from "../../packages/server/src/definition/sql.ts";
import type { Store } from "../../packages/server/src/store/store.ts";

/** Ids used by a benchmark's queries, drawn from the store. */
type Ids = Readonly<Record<"wallets" | "tokens" | "conditions" | "tickers" | "books", readonly string[]>> & {
  /** The last UTC day with a fill, Unix ms. */
  readonly lastDay: number;
};

/** Value for a name in angle brackets, different each turn, so that no cached response is hit. */
type ValueOf = (name: string, turn: number) => string;

export async function readIds(store: Store): Promise<Ids> {
  const sample = async (statement: Sql): Promise<string[]> => {
    const rows = await store.rows<{ v: string }>(statement, { settings: { max_execution_time: 120, max_threads: 2 } });
    if (rows.length === 0) throw new Error("the store has too few rows for this benchmark");
    return rows.map((row) => row.v);
  };
  const [last = ""] = await sample(sql`SELECT toString(max(toDate(ts, 'UTC'))) AS v FROM polymarket_fills`);
  return {
    lastDay: Date.parse(last),
    wallets: await sample(
      sql`SELECT concat('0x', lower(hex(wallet))) AS v FROM polymarket_fills_by_wallet GROUP BY wallet HAVING count() > 20 ORDER BY cityHash64(wallet) LIMIT 500`,
    ),
    tokens: await sample(
      sql`SELECT toString(token_id) AS v FROM polymarket_candles_1m GROUP BY token_id HAVING count() > 20 ORDER BY cityHash64(token_id) LIMIT 500`,
    ),
    conditions: await sample(
      sql`SELECT concat('0x', lower(hex(condition_id))) AS v FROM polymarket_markets WHERE volume_total > 100 ORDER BY cityHash64(condition_id) LIMIT 500`,
    ),
    tickers: await sample(
      sql`SELECT ticker AS v FROM kalshi_trades_by_ticker GROUP BY ticker HAVING count() > 5 ORDER BY cityHash64(ticker) LIMIT 500`,
    ),
    books: await sample(
      sql`SELECT instrument AS v FROM book_events WHERE venue = 'polymarket' AND kind = 'snapshot' GROUP BY instrument ORDER BY count() DESC LIMIT 100`,
    ),
  };
}

/** The parameters of a query at a turn, with the names in angle brackets filled in. */
export const fillIn =
  (params: Readonly<Record<string, string>>, valueOf: ValueOf) =>
  (turn: number): Record<string, string> =>
    Object.fromEntries(
      Object.entries(params).map(([param, text]) => [
        param,
        text.replaceAll(/<(\w+)>/g, (_, name: string) => valueOf(name, turn)),
      ]),
    );
