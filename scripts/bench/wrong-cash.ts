import { bind, sql } from "../../packages/server/src/definition/sql.ts";
import type { Store } from "../../packages/server/src/store/store.ts";

/** Wallets of the world, and those whose cash on their last day differs from the truth, to the millionth. */
export type WrongCash = { readonly wallets: number; readonly wrong: number; readonly most_usd: number };

/** Compares wallets' cash on their last day with a generated world's ground truth (its wallets.parquet). */
export async function wrongCash(store: Store, truth: string): Promise<WrongCash> {
  const [found] = await store.rows<{ wallets: string; wrong: string; most: number }>(
    sql`SELECT toString(count()) AS wallets, toString(countIf(difference != 0)) AS wrong, max(abs(difference)) / 1000000 AS most
FROM (SELECT t.cash_pnl_micro - ifNull(toInt64(d.cash * 1000000), 0) AS difference
  FROM (SELECT toFixedString(unhex(substring(wallet, 3)), 20) AS own, cash_pnl_micro FROM file(${bind("String", truth)}, Parquet)) AS t LEFT JOIN (
    SELECT wallet AS own, argMax(toDecimal128(cash_total_usd, 6), day) AS cash FROM wallet_days FINAL WHERE NOT is_gone GROUP BY wallet
  ) AS d ON d.own = t.own)`,
    { settings: { max_execution_time: 600, max_threads: 2 } },
  );
  return { wallets: Number(found?.wallets), wrong: Number(found?.wrong), most_usd: Number(found?.most) };
}
