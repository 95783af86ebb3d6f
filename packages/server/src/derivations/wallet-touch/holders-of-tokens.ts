import type { Day, FoldReader, Touched } from "../../definition/fold.ts";
import { bind, fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";

const BY_TOKEN = copyOf(walletTokenDays, "wallet_token_days_by_token");
/** Tokens of one statement: their ids travel as text. */
const TOKENS_A_READ = 1500;
const NONE_PAID = "1970-01-01";

/** Which rows tell of a holder, and the first day on which it has a payout (1970: none). */
type Look = { readonly holds: (day: Day) => Sql; readonly paid: Sql };
const HELD: Look = { holds: () => sql`shares != 0`, paid: fromDefinition(`'${NONE_PAID}'`) };
const PAID: Look = {
  holds: (day) => sql`(shares != 0 OR isNotNull(payout) OR day >= toDate(${bind("String", day)}))`,
  paid: fromDefinition("toString(minIf(day, isNotNull(payout)))"),
};

/**
 * Wallets that held one of these tokens at the end of some day, each with the first day given for a token of theirs.
 * `isPaidAnew`: payouts may have changed; so also whoever did something with one since, and from the first day with a
 * payout where that is earlier.
 */
export async function holdersOfTokens(read: FoldReader, tokens: Touched, isPaidAnew = false): Promise<Touched> {
  const { holds, paid } = isPaidAnew ? PAID : HELD;
  const found = new Map<string, Day>();
  const byDay = Map.groupBy(tokens, ([, day]) => day);
  for (const [day, some] of byDay) {
    for (let place = 0; place < some.length; place += TOKENS_A_READ) {
      const ids = some.slice(place, place + TOKENS_A_READ).map(([token]) => token);
      const rows = await read.rows<{ wallet: string; paid: string }>(
        sql`SELECT concat('0x', lower(hex(wallet))) AS wallet, ${paid} AS paid FROM ${BY_TOKEN} WHERE token_id IN (SELECT toUInt256(arrayJoin(splitByChar(',', ${bind("String", ids.join(","))})))) AND ${holds(day)} GROUP BY wallet`,
      );
      for (const one of rows) {
        const first = one.paid !== NONE_PAID && one.paid < day ? one.paid : day;
        const known = found.get(one.wallet);
        if (known === undefined || first < known) found.set(one.wallet, first);
      }
    }
  }
  return found;
}
