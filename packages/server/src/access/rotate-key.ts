import { AccessError } from "./access-error.ts";
import { audit } from "./audit.ts";
import { change } from "./change.ts";
import { MAX_KEYS, insertKey, requireRoom } from "./create-key.ts";
import type { CreatedKey } from "./create-key.ts";
import type { Desk } from "./desk.ts";
import { findKey } from "./find-key.ts";
import { toSummary } from "./key-summary.ts";
import type { KeySummary } from "./key-summary.ts";

const DAY_MS = 86_400_000;
const MAX_OVERLAP_MS = 90 * DAY_MS;

/** The new key, and the old one with the moment at which it stops working. */
export type RotatedKey = CreatedKey & { readonly replaced: KeySummary };

/**
 * Gives a key a successor with the same name, expiry and datasets; both work for `overlapMs` (default one day), then the
 * old one expires. Throws AccessError: not_found, conflict when the key is revoked, expired or replaced already.
 */
export async function rotateKey(desk: Desk, named: string, overlapMs = DAY_MS): Promise<RotatedKey> {
  if (!Number.isFinite(overlapMs) || overlapMs < 0 || overlapMs > MAX_OVERLAP_MS) {
    const problem = "from 0 to 90 days";
    throw new AccessError("invalid", `overlap: ${problem}`, [{ path: "overlap_seconds", problem }]);
  }
  return await change(desk, async (inside) => {
    const old = await findKey(inside, named);
    const { state } = toSummary(inside, old);
    if (state !== "active") throw new AccessError("conflict", `the key is ${state}; create a new one instead`);
    if (old.replaced_by) throw new AccessError("conflict", `the key was replaced by ${old.replaced_by} already`);
    await requireRoom(inside, old.account_id, 2 * MAX_KEYS);
    const created = await insertKey(inside, {
      account_id: old.account_id,
      name: old.name,
      expires_at: old.expires_at,
      datasets: old.datasets,
      created_by: old.created_by ?? desk.userId ?? null,
    });
    const ends = Math.min(desk.clock() + overlapMs, old.expires_at?.getTime() ?? Number.POSITIVE_INFINITY);
    const replaced = await inside.db
      .updateTable("api_keys")
      .set({ expires_at: new Date(ends), replaced_by: created.summary.id })
      .where("id", "=", old.id)
      .where("replaced_by", "is", null)
      .where("revoked_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (!replaced) throw new AccessError("conflict", "the key was replaced or revoked by someone else just now");
    await audit(inside, {
      action: "key.rotate",
      subject: old.id,
      account: old.account_id,
      detail: { replaced_by: created.summary.id, old_expires_at: replaced.expires_at },
    });
    return { ...created, replaced: toSummary(inside, replaced) };
  });
}
