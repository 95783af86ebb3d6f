import { ulid } from "ulid";
import { z } from "zod";
import { AccessError } from "./access-error.ts";
import { audit, change } from "./change.ts";
import type { Desk } from "./desk.ts";
import { findAccount, findKey } from "./find.ts";
import { digestOf, newKey, prefixOf } from "./key-format.ts";
import { keyName, listActiveKeys, toSummary, type KeySummary } from "./keys.ts";
import { readInput } from "./read-input.ts";

const MAX_KEYS = 100;
const DAY_MS = 86_400_000;
const MAX_OVERLAP_MS = 90 * DAY_MS;

const input = z.strictObject({
  /** An account's id or e-mail address. */
  account: z.string().min(1),
  name: keyName.default("default"),
  expires: z.date().optional(),
  /** Agent ids the key is limited to; absent for all that the plan allows. */
  datasets: z.array(z.int().positive()).min(1).max(1000).optional(),
});

/** `key` is the secret itself: it is given here, once, and stored nowhere. */
export type CreatedKey = { readonly key: string; readonly summary: KeySummary };

/** Makes a key. Throws AccessError: invalid input, not_found account, conflict when the account is disabled or full. */
export async function createKey(desk: Desk, asked: z.input<typeof input>): Promise<CreatedKey> {
  const wanted = readInput(input, asked);
  if (wanted.expires && wanted.expires.getTime() <= desk.clock()) {
    const problem = `${wanted.expires.toISOString()} has passed already`;
    throw new AccessError("invalid", `expires: ${problem}`, [{ path: "expires_at", problem }]);
  }
  return await change(desk, async (inside) => {
    const account = await findAccount(inside, wanted.account);
    if (account.disabled_at) throw new AccessError("conflict", `the account ${account.email} is disabled`);
    await requireRoom(inside, account.id, MAX_KEYS);
    const created = await insertKey(inside, {
      account_id: account.id,
      name: wanted.name,
      expires_at: wanted.expires ?? null,
      datasets: wanted.datasets ?? null,
      created_by: desk.userId ?? null,
    });
    const { id, expires_at, datasets } = created.summary;
    const detail = { name: wanted.name, expires_at, datasets };
    await audit(inside, { action: "key.create", subject: id, account: account.id, detail });
    return created;
  });
}

type NewKey = Pick<KeySummary, "account_id" | "name" | "expires_at" | "datasets" | "created_by">;

/** The new key's row and its secret; the caller brings the transaction and the audit line. */
async function insertKey(desk: Desk, wanted: NewKey): Promise<CreatedKey> {
  const key = newKey();
  const row = await desk.db
    .insertInto("api_keys")
    .values({
      id: `key_${ulid(desk.clock())}`,
      prefix: prefixOf(key),
      digest: digestOf(key),
      created_at: new Date(desk.clock()),
      ...wanted,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { key, summary: toSummary(desk, row) };
}

/** Throws conflict when the account has so many keys already that are neither revoked nor expired. */
async function requireRoom(desk: Desk, accountId: string, max: number): Promise<void> {
  const { length: count } = await listActiveKeys(desk, accountId);
  if (count >= max) throw new AccessError("conflict", `the account has ${count} keys already; revoke some first`);
}

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
    const { account_id, name: same, expires_at, datasets, created_by } = old;
    await requireRoom(inside, account_id, 2 * MAX_KEYS);
    const maker = created_by ?? desk.userId ?? null;
    const created = await insertKey(inside, { account_id, name: same, expires_at, datasets, created_by: maker });
    const ends = Math.min(desk.clock() + overlapMs, expires_at?.getTime() ?? Number.POSITIVE_INFINITY);
    const replaced = await inside.db
      .updateTable("api_keys")
      .set({ expires_at: new Date(ends), replaced_by: created.summary.id })
      .where("id", "=", old.id)
      .where("replaced_by", "is", null)
      .where("revoked_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (!replaced) throw new AccessError("conflict", "the key was replaced or revoked by someone else just now");
    const detail = { replaced_by: created.summary.id, old_expires_at: replaced.expires_at };
    await audit(inside, { action: "key.rotate", subject: old.id, account: account_id, detail });
    return { ...created, replaced: toSummary(inside, replaced) };
  });
}
