import type { AccountRow } from "../records/schema.ts";
import { audit } from "./audit.ts";
import { change } from "./change.ts";
import type { Desk } from "./desk.ts";
import { findAccount } from "./find-account.ts";
import { findPlan } from "./find-plan.ts";

/** Puts an account (id or address) on a plan; felt within one second on every node. */
export async function setPlan(desk: Desk, account: string, plan: string): Promise<AccountRow> {
  return await change(desk, async (inside) => {
    const { id, plan: before } = await findAccount(inside, account);
    await findPlan(inside, plan);
    const changed = await inside.db
      .updateTable("accounts")
      .set({ plan })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit(inside, { action: "account.set_plan", subject: id, account: id, detail: { before, plan } });
    return changed;
  });
}
