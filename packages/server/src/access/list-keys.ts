import type { Desk } from "./desk.ts";
import { findAccount } from "./find-account.ts";
import { toSummary } from "./key-summary.ts";
import type { KeySummary } from "./key-summary.ts";

const MAX = 1000;

/** Keys by age, oldest first, 1,000 at most, of one account (id or address) or of all; `after` is the last id seen. */
export async function listKeys(desk: Desk, account?: string, after = ""): Promise<readonly KeySummary[]> {
  const owner = account === undefined ? undefined : (await findAccount(desk, account)).id;
  let query = desk.db.selectFrom("api_keys").selectAll().where("id", ">", after).orderBy("id").limit(MAX);
  if (owner !== undefined) query = query.where("account_id", "=", owner);
  return (await query.execute()).map((row) => toSummary(desk, row));
}
