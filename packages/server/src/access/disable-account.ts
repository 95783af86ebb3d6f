import type { AccountRow } from "../records/schema.ts";
import { audit } from "./audit.ts";
import { change } from "./change.ts";
import type { Desk } from "./desk.ts";
import { findAccount } from "./find-account.ts";

/** Shuts an account (its sessions end, its keys are refused within one second on every node) or opens it again. */
export async function disableAccount(desk: Desk, account: string, isDisabled: boolean): Promise<AccountRow> {
  return await change(desk, async (inside) => {
    const { id } = await findAccount(inside, account);
    const changed = await inside.db
      .updateTable("accounts")
      .set({ disabled_at: isDisabled ? new Date(desk.clock()) : null })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (isDisabled) await endAccountSessions(inside, id);
    await audit(inside, { action: isDisabled ? "account.disable" : "account.enable", subject: id, account: id });
    return changed;
  });
}

async function endAccountSessions(desk: Desk, accountId: string): Promise<void> {
  const users = desk.db.selectFrom("users").select("id").where("account_id", "=", accountId);
  await desk.db.deleteFrom("sessions").where("user_id", "in", users).execute();
}
