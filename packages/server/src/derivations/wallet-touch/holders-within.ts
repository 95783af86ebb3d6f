import type { Day, FoldReader, Touched } from "../../definition/fold.ts";
import { textsSql } from "../../definition/filter.ts";
import { sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { slicesOf } from "../../definition/slices.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";

const BY_TOKEN = copyOf(walletTokenDays, "wallet_token_days_by_token");
const TOKENS_A_READ = 1500;

/** A token is valued by other marks from `day` on, before `next`, when it has a newer one. */
export type MarkSpan = { readonly token: string; readonly day: Day; readonly next: Day };

/** Wallets that held one of these tokens at the end of some day of its span, each with the first day of such a span. */
export async function holdersWithin(read: FoldReader, spans: readonly MarkSpan[]): Promise<Touched> {
  const found = new Map<string, Day>();
  for (const some of slicesOf(spans, TOKENS_A_READ)) {
    const texts = (of: (span: MarkSpan) => string) => textsSql(some.map(of));
    const ids = sql`arrayMap(id -> toUInt256(id), ${texts(({ token }) => token)})`;
    const days = sql`arrayMap(one -> toDate(one), ${texts(({ day }) => day)})`;
    const nexts = sql`arrayMap(one -> toDate(one), ${texts(({ next }) => next)})`;
    const rows = await read.rows<{ wallet: string; since: Day }>(
      sql`SELECT concat('0x', lower(hex(wallet))) AS wallet, toString(min(first)) AS since FROM (
  SELECT h.wallet AS wallet, any(s.day) AS first, argMaxIf(h.shares, h.day, h.day <= s.day) AS at_first, countIf(h.shares != 0 AND h.day > s.day AND h.day < s.next) AS later
  FROM ${BY_TOKEN} AS h FINAL INNER JOIN (SELECT span.1 AS token_id, span.2 AS day, span.3 AS next FROM (SELECT arrayJoin(arrayZip(${ids}, ${days}, ${nexts})) AS span)) AS s ON s.token_id = h.token_id
  WHERE h.token_id IN (SELECT arrayJoin(${ids})) AND NOT h.is_gone GROUP BY h.token_id, h.wallet HAVING at_first != 0 OR later > 0
) GROUP BY wallet`,
    );
    for (const { wallet, since } of rows) {
      const known = found.get(wallet);
      if (known === undefined || since < known) found.set(wallet, since);
    }
  }
  return found;
}
