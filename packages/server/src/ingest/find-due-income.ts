import { bind, sql } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";

/** Wallets are ranked by what they traded in these days. */
const RANKED_SECONDS = 30 * 86_400;

/**
 * The wallets whose income was not asked for within so many hours, of the so many that come first: those whose orders
 * were filled as makers', by the volume they traded. Superseded rows of a day may count in the ranking until they are
 * merged away: it only says whom to ask. Each is "0x… SECOND" (see Known).
 */
export async function findDueIncome(
  store: Pick<Store, "rows">,
  nowMs: number,
  { incomeWallets, incomeHours }: { readonly incomeWallets: number; readonly incomeHours: number },
): Promise<readonly string[]> {
  if (incomeWallets === 0) return [];
  const now = Math.floor(nowMs / 1000);
  const since = bind("UInt32", Math.max(0, now - RANKED_SECONDS));
  const before = bind("UInt32", Math.max(0, now - incomeHours * 3600));
  const ranked = sql`(SELECT wallet, sum(maker_usd) > 0 AS is_maker, sum(bought_usd + sold_usd) AS traded_usd FROM wallet_days WHERE day >= toDate(toDateTime(${since}, 'UTC')) AND NOT is_gone GROUP BY wallet ORDER BY is_maker DESC, traded_usd DESC, wallet LIMIT ${bind("UInt32", incomeWallets)})`;
  const looked = sql`(SELECT wallet, asked_at, checked_at FROM polymarket_income_wallets FINAL)`;
  const secondOf = sql`toUnixTimestamp(coalesce(looked.checked_at, toDateTime(0, 'UTC')))`;
  const rows = await store.rows<{ due: string }>(
    sql`SELECT concat('0x', lower(hex(ranked.wallet)), ' ', toString(${secondOf})) AS due FROM ${ranked} AS ranked LEFT JOIN ${looked} AS looked USING (wallet) WHERE coalesce(looked.asked_at, toDateTime(0, 'UTC')) <= toDateTime(${before}, 'UTC') ORDER BY ranked.is_maker DESC, ranked.traded_usd DESC, ranked.wallet`,
  );
  return rows.map(({ due }) => due);
}
