import type { Day, FoldReader, Touched } from "../../definition/fold.ts";
import { bind, sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";

const BY_TOKEN = copyOf(walletTokenDays, "wallet_token_days_by_token");
/** Tokens of one statement: their ids travel as text. */
const TOKENS_A_READ = 1500;
const NONE_PAID = "1970-01-01";
const FIRST_PAID = sql`toString(minIf(day, isNotNull(payout)))`;

/**
 * Wallets that held one of these tokens at the end of some day, or did something with it since the day given, or have a
 * payout for it: each with the first day given for a token of theirs, or the first with a payout where that is earlier.
 */
export async function holdersOfTokens(read: FoldReader, tokens: Touched): Promise<Touched> {
  const found = new Map<string, Day>();
  const byDay = Map.groupBy(tokens, ([, day]) => day);
  for (const [day, some] of byDay) {
    for (let place = 0; place < some.length; place += TOKENS_A_READ) {
      const ids = some.slice(place, place + TOKENS_A_READ).map(([token]) => token);
      const rows = await read.rows<{ wallet: string; paid: string }>(
        sql`SELECT concat('0x', lower(hex(wallet))) AS wallet, ${FIRST_PAID} AS paid FROM ${BY_TOKEN} WHERE token_id IN (SELECT toUInt256(arrayJoin(splitByChar(',', ${bind("String", ids.join(","))})))) AND (shares != 0 OR isNotNull(payout) OR day >= toDate(${bind("String", day)})) GROUP BY wallet`,
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
