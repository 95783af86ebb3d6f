import { sql, type Sql } from "../../../packages/server/src/definition/sql.ts";
import type { Store } from "../../../packages/server/src/store/store.ts";

/** Ids used by the queries, each list in an order that depends only on the store. */
export type PeerIds = {
  readonly wallets: readonly string[];
  readonly conditions: readonly string[];
  readonly tokens: readonly string[];
  /** Two words of one market's question text. */
  readonly searches: readonly string[];
  /** The last UTC day with a fill. */
  readonly lastDay: string;
};

const LIMITS = { settings: { max_execution_time: 300, max_threads: 2 } };

export async function readPeerIds(store: Store): Promise<PeerIds> {
  const list = async (statement: Sql): Promise<string[]> => {
    const rows = await store.rows<{ v: string }>(statement, LIMITS);
    if (rows.length === 0) throw new Error("the world has too few fills for this benchmark");
    return rows.map(({ v }) => v);
  };
  const [lastDay = ""] = await list(sql`SELECT toString(max(toDate(ts, 'UTC'))) AS v FROM polymarket_fills`);
  return {
    lastDay,
    wallets: await list(
      sql`SELECT concat('0x', lower(hex(wallet))) AS v FROM polymarket_fills_by_wallet GROUP BY wallet HAVING count() > 20 ORDER BY cityHash64(wallet) LIMIT 50000`,
    ),
    conditions: await list(
      sql`SELECT concat('0x', lower(hex(condition_id))) AS v FROM polymarket_markets FINAL WHERE volume_total > 0 ORDER BY cityHash64(condition_id) LIMIT 50000`,
    ),
    tokens: await list(
      sql`SELECT toString(token_id) AS v FROM polymarket_candles_1m GROUP BY token_id ORDER BY cityHash64(token_id) LIMIT 50000`,
    ),
    searches: await list(
      sql`SELECT concat(words[1 + cityHash64(condition_id, 1) % length(words)], ' ', words[1 + cityHash64(condition_id, 2) % length(words)]) AS v FROM (SELECT condition_id, splitByChar(' ', trimBoth(search)) AS words FROM polymarket_markets FINAL) WHERE length(words) > 1 ORDER BY cityHash64(condition_id) LIMIT 20000`,
    ),
  };
}
