import type { Day, FoldReader, KeyRange, Touched } from "../../definition/fold.ts";
import { bind, sql } from "../../definition/sql.ts";
import { walletDays } from "../../tables/wallet-days.ts";

/**
 * Wallets of a range that need rows for the days after `closed` up to `day`: those that held something at its end, and
 * those that did something since, whose days were marked while they were under way.
 */
export async function holdersAtEnd(
  read: FoldReader,
  { closed, day }: { readonly closed: Day; readonly day: Day },
  { first, last }: KeyRange,
): Promise<Touched> {
  const [from, to] = [bind("String", closed), bind("String", day)];
  const inRange = sql`wallet >= toFixedString(unhex(${bind("String", first.slice(2))}), 20) AND wallet <= toFixedString(unhex(${bind("String", last.slice(2))}), 20)`;
  const rows = await read.rows<{ wallet: string; next: string }>(
    sql`SELECT concat('0x', lower(hex(wallet))) AS wallet, toString(min(greatest(day, toDate(${from}) + 1))) AS next FROM ${walletDays} FINAL WHERE day >= toDate(${from}) AND day <= toDate(${to}) AND ${inRange} AND NOT is_gone AND (day > toDate(${from}) OR open_tokens > 0) GROUP BY wallet`,
  );
  return new Map(rows.map(({ wallet, next }) => [wallet, next]));
}
