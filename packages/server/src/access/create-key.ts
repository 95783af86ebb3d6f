import { ulid } from "ulid";
import { z } from "zod";
import { AccessError } from "./access-error.ts";
import { audit } from "./audit.ts";
import { change } from "./change.ts";
import type { Desk } from "./desk.ts";
import { findAccount } from "./find-account.ts";
import { digestOf, newKey, prefixOf } from "./key-format.ts";
import { toSummary } from "./key-summary.ts";
import type { KeySummary } from "./key-summary.ts";
import { listActiveKeys } from "./list-active-keys.ts";
import { readInput } from "./read-input.ts";

export const MAX_KEYS = 100;

const input = z.strictObject({
  /** An account's id or e-mail address. */
  account: z.string().min(1),
  name: z.string().trim().min(1).max(200).default("default"),
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
    await audit(inside, {
      action: "key.create",
      subject: created.summary.id,
      account: account.id,
      detail: { name: wanted.name, expires_at: created.summary.expires_at, datasets: created.summary.datasets },
    });
    return created;
  });
}

type NewKey = Pick<KeySummary, "account_id" | "name" | "expires_at" | "datasets" | "created_by">;

/** The new key's row and its secret; the caller brings the transaction and the audit line. */
export async function insertKey(desk: Desk, wanted: NewKey): Promise<CreatedKey> {
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
export async function requireRoom(desk: Desk, accountId: string, max: number): Promise<void> {
  const { length: count } = await listActiveKeys(desk, accountId);
  if (count >= max) throw new AccessError("conflict", `the account has ${count} keys already; revoke some first`);
}
