import { join } from "node:path";
import { bind, fromDefinition, sql } from "../../packages/server/src/definition/sql.ts";
import { differenceOf, walletOfCopy } from "./copy-world.ts";
import type { Store } from "../../packages/server/src/store/store.ts";

/** Wallets of the world, and those whose last day does not have the cash of the truth, to the millionth. */
export type WrongCash = { readonly wallets: number; readonly wrong: number; readonly most_usd: number };

/** Compares what wallets have at their last day with the generated world's truth, in each copy of the world. */
export async function wrongCash(store: Store, world: string, copies: number): Promise<WrongCash> {
  const all = { wallets: 0, wrong: 0, most_usd: 0 };
  for (let copy = 0; copy < copies; copy += 1) {
    const { wallets, wrong, most } = await ofCopy(store, join(world, "truth/wallets.parquet"), copy);
    all.wallets += Number(wallets);
    all.wrong += Number(wrong);
    all.most_usd = Math.max(all.most_usd, Number(most));
  }
  return all;
}

async function ofCopy(store: Store, truth: string, copy: number) {
  const own = walletOfCopy("toFixedString(unhex(substring(wallet, 3)), 20)", `toUInt256('${differenceOf(copy)}')`);
  const [found] = await store.rows<{ wallets: string; wrong: string; most: number }>(
    sql`SELECT toString(count()) AS wallets, toString(countIf(difference != 0)) AS wrong, max(abs(difference)) / 1000000 AS most
FROM (SELECT t.cash_pnl_micro - ifNull(toInt64(d.cash * 1000000), 0) AS difference
  FROM (SELECT ${fromDefinition(own)} AS own, cash_pnl_micro FROM file(${bind("String", truth)}, Parquet)) AS t LEFT JOIN (
    SELECT wallet AS own, argMax(toDecimal128(cash_total_usd, 6), day) AS cash FROM wallet_days FINAL WHERE NOT is_gone GROUP BY wallet
  ) AS d ON d.own = t.own)`,
    { settings: { max_execution_time: 600, max_threads: 2 } },
  );
  return found ?? { wallets: "0", wrong: "0", most: 0 };
}
