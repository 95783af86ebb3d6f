import type { Updateable } from "kysely";
import { z } from "zod";
import { dropEndedKeys } from "./drop-ended-keys.ts";
import { KEY_MODES } from "../definition/vocabulary.ts";
import type { KeyRow, RecordsSchema } from "../records/schema.ts";
import { change, writeRow, type AdminContext, type Done, audit } from "./change.ts";
import { paceOf, type Pace } from "./caller.ts";
import { findAccount, findKey, digestOf, newKey, prefixOf } from "./find.ts";
import { listPage } from "./list-audit.ts";
import { holdAccount, requireQuotaForKey, requireRoomToRotate } from "./quotas.ts";
import { readInput, AccessError } from "./access-error.ts";
import { ulid } from "ulid";

/** The public part of a key: everything but its digest. */
export type KeySummary = Omit<KeyRow, "digest"> & { readonly state: "active" | "expired" | "revoked" };

function toSummary<Row extends KeyRow>(admin: Pick<AdminContext, "clock">, { digest: _digest, ...key }: Row) {
  const isExpired = key.expires_at !== null && key.expires_at.getTime() <= admin.clock();
  const state = key.revoked_at ? ("revoked" as const) : isExpired ? ("expired" as const) : ("active" as const);
  return { ...key, state };
}

export type ListedKey = KeySummary & { readonly account_name: string; readonly created_by_name: string | null };
export type KeyPage = { readonly keys: readonly ListedKey[]; readonly has_more: boolean };

/** Keys by age, oldest first, 1,000 at most, of one account (id or address) or of all; `after` is the last id seen. */
export async function listKeys(admin: AdminContext, account?: string, after = ""): Promise<KeyPage> {
  let query = admin.db
    .selectFrom("api_keys as key")
    .innerJoin("accounts as account", "account.id", "key.account_id")
    .leftJoin("users as maker", "maker.id", "key.created_by")
    .selectAll("key")
    .select(["account.name as account_name", "maker.name as created_by_name"])
    .where("key.id", ">", after)
    .orderBy("key.id");
  if (account !== undefined) query = query.where("key.account_id", "=", (await findAccount(admin, account)).id);
  const { rows, has_more } = await listPage(query);
  return { keys: rows.map((row) => toSummary(admin, row)), has_more };
}

export type ActiveKey = { readonly id: string; readonly pace: Pace | null };

/** An account's keys that are neither revoked nor expired, oldest first; its plan bounds how many. */
export async function listActiveKeys(admin: AdminContext, accountId: string): Promise<readonly ActiveKey[]> {
  const rows = await admin.db
    .selectFrom("api_keys")
    .select(["id", "requests_per_minute", "burst"])
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .where((by) => by.or([by("expires_at", "is", null), by("expires_at", ">", new Date(admin.clock()))]))
    .orderBy("id")
    .execute();
  return rows.map(({ id, requests_per_minute, burst }) => ({ id, pace: paceOf(requests_per_minute, burst) }));
}

const keyName = z.string().trim().min(1).max(200);
const nameInput = z.strictObject({ name: keyName });
/** A requested mode. */
export const keyMode = z.enum(KEY_MODES, { error: `expected ${KEY_MODES.join(" or ")}` });
const modeInput = z.strictObject({ mode: keyMode });

/** The same bounds as a plan's. */
const figure = z.int().min(1).max(1_000_000).nullish();
/** A key's own limit as requested; null or absent for none. */
export const limitFields = { requests_per_minute: figure, burst: figure };
type Limit = z.output<z.ZodObject<typeof limitFields>>;
const BOTH = { error: "requests_per_minute and burst are set together", path: ["burst"] };
const isWhole = ({ requests_per_minute: rate, burst }: Limit): boolean => (rate == null) === (burst == null);
const limitInput = z.strictObject(limitFields).refine(isWhole, BOTH);

type KeyChange = Pick<Done, "action" | "detail"> & { readonly to: Updateable<RecordsSchema["api_keys"]> };

/** The key, with its account locked until the transaction ends: changes of an account's keys follow one another. */
async function holdKey(inside: AdminContext, named: string): Promise<KeyRow> {
  const { id, account_id } = await findKey(inside, named);
  await holdAccount(inside, account_id);
  return await findKey(inside, id);
}

/** Changes a key (by id, prefix or secret) and audits it; if `changeOf` returns nothing the key stays as it is. */
async function changeKey(
  admin: AdminContext,
  named: string,
  changeOf: (before: KeyRow) => KeyChange | undefined,
): Promise<KeySummary> {
  return await change(admin, async (inside) => {
    const before = await holdKey(inside, named);
    const wanted = changeOf(before);
    if (wanted === undefined) return toSummary(inside, before);
    const { to, ...done } = wanted;
    const changed = await writeRow(inside, "api_keys", to, { ...done, subject: before.id, account: before.account_id });
    if (to.revoked_at) await dropEndedKeys(inside, before.account_id);
    return toSummary(inside, changed);
  });
}

/** Renames a key. */
export async function renameKey(
  admin: AdminContext,
  named: string,
  requested: z.input<typeof nameInput>,
): Promise<KeySummary> {
  const to = readInput(nameInput, requested);
  return await changeKey(admin, named, ({ name: before }) => ({ action: "key.rename", to, detail: { before, ...to } }));
}

/** Sets a key's requests to strict or compatible mode; unchanged if already so. */
export async function setKeyMode(
  admin: AdminContext,
  named: string,
  requested: z.input<typeof modeInput>,
): Promise<KeySummary> {
  const to = readInput(modeInput, requested);
  return await changeKey(admin, named, ({ mode: before }) =>
    before === to.mode ? undefined : { action: "key.set_mode", to, detail: { before, ...to } },
  );
}

/** Gives a key its own limit within its account's, or removes it. */
export async function setKeyLimit(
  admin: AdminContext,
  named: string,
  requested: z.input<typeof limitInput>,
): Promise<KeySummary> {
  const { requests_per_minute = null, burst = null } = readInput(limitInput, requested);
  const limit = { requests_per_minute, burst };
  return await changeKey(admin, named, (key) => {
    const before = { requests_per_minute: key.requests_per_minute, burst: key.burst };
    return { action: "key.set_limit", to: limit, detail: { before, limit } };
  });
}

/** Revokes a key permanently; one that is already revoked stays as it is. */
export async function revokeKey(admin: AdminContext, named: string): Promise<KeySummary> {
  return await changeKey(admin, named, ({ revoked_at }) =>
    revoked_at ? undefined : { action: "key.revoke", to: { revoked_at: new Date(admin.clock()) } },
  );
}

const DAY_MS = 86_400_000;
const MAX_OVERLAP_MS = 90 * DAY_MS;

const input = z
  .strictObject({
    /** An account's id or e-mail address. */
    account: z.string().min(1),
    name: keyName.default("default"),
    expires: z.date().optional(),
    /** Agent ids the key is limited to; absent for all that the plan allows. */
    datasets: z.array(z.int().positive()).min(1).max(1000).optional(),
    mode: keyMode.default("strict"),
    ...limitFields,
  })
  .refine(isWhole, BOTH);

/** `key` is the secret itself: returned here once, and stored nowhere. */
export type CreatedKey = { readonly key: string; readonly summary: KeySummary };

/** Creates a key. Throws AccessError: invalid input, not_found account, conflict if the account is disabled or full. */
export async function createKey(admin: AdminContext, requested: z.input<typeof input>): Promise<CreatedKey> {
  const wanted = readInput(input, requested);
  const expires = wanted.expires?.toISOString();
  const hasPassed = wanted.expires !== undefined && wanted.expires.getTime() <= admin.clock();
  if (hasPassed || expires?.startsWith("+")) {
    const problem = hasPassed ? `${expires} has passed already` : `${expires} is after the year 9999`;
    throw new AccessError("invalid", `expires: ${problem}`, [{ path: "expires_at", problem }]);
  }
  return await change(admin, async (inside) => {
    const { id: account_id } = await findAccount(inside, wanted.account);
    await holdAccount(inside, account_id);
    const account = await findAccount(inside, account_id);
    if (account.disabled_at) throw new AccessError("conflict", `the account ${account.email} is disabled`);
    await requireQuotaForKey(inside, account.id);
    await dropEndedKeys(inside, account.id);
    const created = await insertKey(inside, {
      account_id: account.id,
      name: wanted.name,
      expires_at: wanted.expires ?? null,
      datasets: wanted.datasets ?? null,
      mode: wanted.mode,
      requests_per_minute: wanted.requests_per_minute ?? null,
      burst: wanted.burst ?? null,
      created_by: admin.userId ?? null,
    });
    const { id, name, expires_at, datasets, mode, requests_per_minute, burst } = created.summary;
    const detail = { name, expires_at, datasets, mode, requests_per_minute, burst };
    await audit(inside, { action: "key.create", subject: id, account: account.id, detail });
    return created;
  });
}

type NewKey = Pick<
  KeySummary,
  "account_id" | "name" | "expires_at" | "datasets" | "mode" | "requests_per_minute" | "burst" | "created_by"
>;

/** The new key's row and its secret; the caller provides the transaction and the audit entry. */
async function insertKey(admin: AdminContext, wanted: NewKey): Promise<CreatedKey> {
  const key = newKey();
  const row = await admin.db
    .insertInto("api_keys")
    .values({
      id: `key_${ulid(admin.clock())}`,
      prefix: prefixOf(key),
      digest: digestOf(key),
      created_at: new Date(admin.clock()),
      ...wanted,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { key, summary: toSummary(admin, row) };
}

/** The new key, and the old one with the time at which it stops working. */
export type RotatedKey = CreatedKey & { readonly replaced: KeySummary };

/**
 * Creates a successor with the same name, expiry, datasets, mode and limit; both work for `overlapMs` (default one
 * day), then the old key expires. Throws AccessError: not_found, conflict if the key is revoked, expired or replaced.
 */
export async function rotateKey(admin: AdminContext, named: string, overlapMs = DAY_MS): Promise<RotatedKey> {
  if (!Number.isFinite(overlapMs) || overlapMs < 0 || overlapMs > MAX_OVERLAP_MS) {
    const problem = "from 0 to 90 days";
    throw new AccessError("invalid", `overlap: ${problem}`, [{ path: "overlap_seconds", problem }]);
  }
  return await change(admin, async (inside) => {
    const old = await holdKey(inside, named);
    const { state } = toSummary(inside, old);
    if (state !== "active") throw new AccessError("conflict", `the key is ${state}; create a new one instead`);
    if (old.replaced_by) throw new AccessError("conflict", `the key was replaced by ${old.replaced_by} already`);
    const { account_id, name, expires_at, datasets, mode, requests_per_minute, burst } = old;
    await requireRoomToRotate(inside, account_id);
    await dropEndedKeys(inside, account_id);
    const created_by = old.created_by ?? admin.userId ?? null;
    const same = { account_id, name, expires_at, datasets, mode, requests_per_minute, burst };
    const created = await insertKey(inside, { ...same, created_by });
    const ends = Math.min(admin.clock() + overlapMs, expires_at?.getTime() ?? Number.POSITIVE_INFINITY);
    const replaced = await inside.db
      .updateTable("api_keys")
      .set({ expires_at: new Date(ends), replaced_by: created.summary.id })
      .where("id", "=", old.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const detail = { replaced_by: created.summary.id, old_expires_at: replaced.expires_at };
    await audit(inside, { action: "key.rotate", subject: old.id, account: account_id, detail });
    return { ...created, replaced: toSummary(inside, replaced) };
  });
}
