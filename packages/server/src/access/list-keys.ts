import type { KeyRow } from "../records/schema.ts";
import type { Desk } from "./desk.ts";
import { findAccount } from "./find-account.ts";
import { toSummary } from "./key-summary.ts";
import type { KeySummary } from "./key-summary.ts";
import { LIST_LIMIT, listPage } from "./list-page.ts";

type Names = { readonly account_name: string; readonly created_by_name: string | null };
export type ListedKey = KeySummary & Names;
export type KeyPage = { readonly keys: readonly ListedKey[]; readonly has_more: boolean };

/** Keys by age, oldest first, 1,000 at most, of one account (id or address) or of all; `after` is the last id seen. */
export async function listKeys(desk: Desk, account?: string, after = ""): Promise<KeyPage> {
  const owner = account === undefined ? undefined : (await findAccount(desk, account)).id;
  let query = desk.db
    .selectFrom("api_keys as key")
    .innerJoin("accounts as account", "account.id", "key.account_id")
    .leftJoin("users as maker", "maker.id", "key.created_by")
    .selectAll("key")
    .select(["account.name as account_name", "maker.name as created_by_name"])
    .where("key.id", ">", after)
    .orderBy("key.id")
    .limit(LIST_LIMIT);
  if (owner !== undefined) query = query.where("key.account_id", "=", owner);
  const { rows, has_more } = listPage(await query.execute());
  return { keys: rows.map((row) => toListed(desk, row)), has_more };
}

function toListed(desk: Desk, { account_name, created_by_name, ...row }: KeyRow & Names): ListedKey {
  return { ...toSummary(desk, row), account_name, created_by_name };
}
