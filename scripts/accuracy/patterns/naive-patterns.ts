import { sql, type Bound, type Sql } from "../../../packages/server/src/definition/sql.ts";
import type { OpenStore } from "../../../packages/server/src/store/open-store.ts";
import type { Pattern } from "./read-patterns.ts";

/** What somebody would try first, over the 30 days up to a day. */
const RULES: Readonly<Record<Pattern, (fills: Sql) => Sql>> = {
  // Met the same other wallet in three matches or more.
  wash: (fills) =>
    sql`SELECT arrayJoin([m.wallet, t.wallet]) AS wallet FROM (SELECT * FROM ${fills} WHERE role = 'maker') AS m INNER JOIN (SELECT tx_hash, wallet FROM ${fills} WHERE role = 'taker') AS t USING (tx_hash) GROUP BY m.wallet, t.wallet HAVING count() >= 3`,
  // Entered a side of a market in the same two seconds as somebody else, three times or more.
  sybil: (fills) =>
    sql`SELECT arrayJoin(wallets) AS wallet FROM (SELECT groupUniqArray(wallet) AS wallets FROM ${fills} WHERE role = 'taker' GROUP BY token_id, side, intDiv(toUnixTimestamp(ts), 2) HAVING length(wallets) >= 2) GROUP BY wallet HAVING count() >= 3`,
  // Paid 0.95 on average.
  farmer: (fills) =>
    sql`SELECT wallet FROM ${fills} WHERE side = 'BUY' GROUP BY wallet HAVING sum(usd) >= sum(shares) * 0.95`,
  // Traded twenty times or more, nearly always as maker.
  both_sides: (fills) =>
    sql`SELECT wallet FROM ${fills} GROUP BY wallet HAVING count() >= 20 AND countIf(role = 'maker') >= 0.8 * count()`,
};

/** Wallets (0x-hex) that each naive rule names. */
export async function naivePatterns(store: OpenStore, day: Bound): Promise<Record<Pattern, ReadonlySet<string>>> {
  const fills = sql`(SELECT * FROM polymarket_fills WHERE toDate(ts) <= ${day} AND toDate(ts) > subtractDays(${day}, 30))`;
  const named = async (pattern: Pattern): Promise<ReadonlySet<string>> => {
    const rows = await store.rows<{ id: string }>(
      sql`SELECT DISTINCT concat('0x', lower(hex(wallet))) AS id FROM (${RULES[pattern](fills)})`,
    );
    return new Set(rows.map(({ id }) => id));
  };
  return {
    wash: await named("wash"),
    sybil: await named("sybil"),
    farmer: await named("farmer"),
    both_sides: await named("both_sides"),
  };
}
