import { audit } from "./audit.ts";
import { change } from "./change.ts";
import type { Desk } from "./desk.ts";
import { findKey } from "./find-key.ts";
import { toSummary } from "./key-summary.ts";
import type { KeySummary } from "./key-summary.ts";

/** Revokes a key (by id, prefix or secret) for good; one that is revoked already stays as it is. */
export async function revokeKey(desk: Desk, named: string): Promise<KeySummary> {
  return await change(desk, async (inside) => {
    const key = await findKey(inside, named);
    if (key.revoked_at) return toSummary(inside, key);
    const revoked = await inside.db
      .updateTable("api_keys")
      .set({ revoked_at: new Date(desk.clock()) })
      .where("id", "=", key.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit(inside, { action: "key.revoke", subject: key.id, account: key.account_id });
    return toSummary(inside, revoked);
  });
}
