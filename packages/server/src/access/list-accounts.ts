import type { AccountRow } from "../records/schema.ts";
import type { Desk } from "./desk.ts";

const MAX = 1000;

/** Accounts by age, oldest first, 1,000 at most; `after` is the id of the last one already seen. */
export async function listAccounts(desk: Desk, after = ""): Promise<readonly AccountRow[]> {
  return await desk.db.selectFrom("accounts").selectAll().where("id", ">", after).orderBy("id").limit(MAX).execute();
}
