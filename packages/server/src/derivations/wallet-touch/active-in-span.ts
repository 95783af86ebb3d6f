import type { FoldReader, Touched } from "../../definition/fold.ts";
import { bind, sql } from "../../definition/sql.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";

/** Wallets that did something in a span (Unix ms), by the days worked out, with the day. */
export async function activeInSpan(
  read: FoldReader,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Touched> {
  const [first, last] = [bind("Int64", BigInt(Math.floor(from / 1000))), bind("Int64", BigInt(Math.ceil(to / 1000)))];
  const days = sql`day >= toDate(toDateTime(${first}, 'UTC'), 'UTC') AND day <= toDate(toDateTime(${last}, 'UTC'), 'UTC')`;
  const rows = await read.rows<{ wallet: string; day: string }>(
    sql`SELECT concat('0x', lower(hex(wallet))) AS wallet, toString(min(day)) AS day FROM ${walletTokenDays} WHERE wallet IN (SELECT wallet FROM ${walletDays} WHERE ${days}) AND ${days} AND first_at <= toDateTime(${last}, 'UTC') AND last_at >= toDateTime(${first}, 'UTC') GROUP BY wallet`,
  );
  return new Map(rows.map(({ wallet, day }) => [wallet, day]));
}
