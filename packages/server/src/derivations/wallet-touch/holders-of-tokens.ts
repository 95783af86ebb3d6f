import type { Day, FoldReader, Touched } from "../../definition/fold.ts";
import { hexOf, textsSql } from "../../definition/filter.ts";
import { bind, sql, type Sql } from "../../definition/sql.ts";
import { slicesOf } from "../../definition/slices.ts";
import { copyOf } from "../../definition/table.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";

export const BY_TOKEN = copyOf(walletTokenDays, "wallet_token_days_by_token");
/** Tokens, or conditions, per statement: their ids are sent as text. */
export const IDS_A_READ = 1500;
const NONE_PAID = "1970-01-01";

/** A list of tokens (decimal text), for use after IN. */
export const tokensSql = (tokens: readonly string[]): Sql =>
  sql`(SELECT toUInt256(arrayJoin(splitByChar(',', ${bind("String", tokens.join(","))}))))`;

/** The earliest of the days noted for each wallet. */
class FirstDays extends Map<string, Day> {
  note(wallet: string, day: Day): void {
    const known = this.get(wallet);
    if (known === undefined || day < known) this.set(wallet, day);
  }
}

/**
 * Wallets that held one of these tokens at the end of some day, or had an event in it since the given day, or have a
 * payout for it: each with the first day given for a token of theirs, or the first with a payout if that is earlier.
 */
export async function holdersOfTokens(read: FoldReader, tokens: Touched): Promise<Touched> {
  const found = new FirstDays();
  for (const [day, ofDay] of Map.groupBy(tokens, ([, given]) => given)) {
    for (const some of slicesOf(ofDay, IDS_A_READ)) {
      const ids = tokensSql(some.map(([token]) => token));
      const rows = await read.rows<{ address: string; paid: Day }>(
        sql`SELECT ${hexOf(sql`wallet`)} AS address, toString(minIf(day, isNotNull(payout))) AS paid FROM ${BY_TOKEN} WHERE token_id IN ${ids} AND (shares != 0 OR isNotNull(payout) OR day >= toDate(${bind("String", day)})) GROUP BY wallet`,
      );
      for (const { address, paid } of rows) found.note(address, paid !== NONE_PAID && paid < day ? paid : day);
    }
  }
  return found;
}

/** A token is valued at other marks from `day` on, until `next`, when it has a newer one. */
export type MarkSpan = { readonly token: string; readonly day: Day; readonly next: Day };

/** Wallets that held one of these tokens at the end of some day of its span, each with the first day of such a span. */
export async function holdersWithin(read: FoldReader, spans: readonly MarkSpan[]): Promise<Touched> {
  const found = new FirstDays();
  for (const some of slicesOf(spans, IDS_A_READ)) {
    const texts = (of: (span: MarkSpan) => string) => textsSql(some.map(of));
    const ids = sql`arrayMap(id -> toUInt256(id), ${texts(({ token }) => token)})`;
    const days = sql`arrayMap(one -> toDate(one), ${texts(({ day }) => day)})`;
    const nexts = sql`arrayMap(one -> toDate(one), ${texts(({ next }) => next)})`;
    const rows = await read.rows<{ address: string; since: Day }>(
      sql`SELECT ${hexOf(sql`wallet`)} AS address, toString(min(first)) AS since FROM (
  SELECT h.wallet AS wallet, any(s.day) AS first, argMaxIf(h.shares, h.day, h.day <= s.day) AS at_first, countIf(h.shares != 0 AND h.day > s.day AND h.day < s.next) AS later
  FROM ${BY_TOKEN} AS h FINAL INNER JOIN (SELECT span.1 AS token_id, span.2 AS day, span.3 AS next FROM (SELECT arrayJoin(arrayZip(${ids}, ${days}, ${nexts})) AS span)) AS s ON s.token_id = h.token_id
  WHERE h.token_id IN (SELECT arrayJoin(${ids})) AND NOT h.is_gone GROUP BY h.token_id, h.wallet HAVING at_first != 0 OR later > 0
) GROUP BY wallet`,
    );
    for (const { address, since } of rows) found.note(address, since);
  }
  return found;
}
