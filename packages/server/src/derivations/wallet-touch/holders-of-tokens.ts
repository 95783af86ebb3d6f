import type { Day, FoldReader, Touched } from "../../definition/fold.ts";
import { bind, sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";

const BY_TOKEN = copyOf(walletTokenDays, "wallet_token_days_by_token");
/** Tokens of one statement: their ids travel as text. */
const TOKENS_A_READ = 1500;

/** Wallets that held one of these tokens at the end of some day, each with the first day given for a token of theirs. */
export async function holdersOfTokens(read: FoldReader, tokens: Touched): Promise<Touched> {
  const found = new Map<string, Day>();
  const byDay = Map.groupBy(tokens, ([, day]) => day);
  // Later days first, so that an earlier one stays.
  for (const [day, some] of [...byDay].toSorted(([a], [b]) => (a < b ? 1 : -1))) {
    for (let place = 0; place < some.length; place += TOKENS_A_READ) {
      const ids = some.slice(place, place + TOKENS_A_READ).map(([token]) => token);
      const rows = await read.rows<{ wallet: string }>(
        sql`SELECT DISTINCT concat('0x', lower(hex(wallet))) AS wallet FROM ${BY_TOKEN} WHERE token_id IN (SELECT toUInt256(arrayJoin(splitByChar(',', ${bind("String", ids.join(","))})))) AND shares != 0`,
      );
      for (const { wallet } of rows) found.set(wallet, day);
    }
  }
  return found;
}
