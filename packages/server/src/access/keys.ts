import { z } from "zod";
import type { KeyRow } from "../records/schema.ts";
import { change, writeRow } from "./change.ts";
import type { Desk } from "./desk.ts";
import { findAccount, findKey } from "./find.ts";
import { listPage } from "./list-page.ts";
import { readInput } from "./read-input.ts";

/** A key as it may be shown: everything but its digest. */
export type KeySummary = Omit<KeyRow, "digest"> & { readonly state: "active" | "expired" | "revoked" };

export function toSummary<Row extends KeyRow>(desk: Desk, { digest: _digest, ...key }: Row) {
  const isExpired = key.expires_at !== null && key.expires_at.getTime() <= desk.clock();
  const state = key.revoked_at ? ("revoked" as const) : isExpired ? ("expired" as const) : ("active" as const);
  return { ...key, state };
}

export type ListedKey = KeySummary & { readonly account_name: string; readonly created_by_name: string | null };
export type KeyPage = { readonly keys: readonly ListedKey[]; readonly has_more: boolean };

/** Keys by age, oldest first, 1,000 at most, of one account (id or address) or of all; `after` is the last id seen. */
export async function listKeys(desk: Desk, account?: string, after = ""): Promise<KeyPage> {
  let query = desk.db
    .selectFrom("api_keys as key")
    .innerJoin("accounts as account", "account.id", "key.account_id")
    .leftJoin("users as maker", "maker.id", "key.created_by")
    .selectAll("key")
    .select(["account.name as account_name", "maker.name as created_by_name"])
    .where("key.id", ">", after)
    .orderBy("key.id");
  if (account !== undefined) query = query.where("key.account_id", "=", (await findAccount(desk, account)).id);
  const { rows, has_more } = await listPage(query);
  return { keys: rows.map((row) => toSummary(desk, row)), has_more };
}

/** The ids of an account's keys that are neither revoked nor expired, oldest first; `requireRoom` bounds how many. */
export async function listActiveKeys(desk: Desk, accountId: string): Promise<readonly string[]> {
  const rows = await desk.db
    .selectFrom("api_keys")
    .select("id")
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .where((by) => by.or([by("expires_at", "is", null), by("expires_at", ">", new Date(desk.clock()))]))
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

export const keyName = z.string().trim().min(1).max(200);
const nameInput = z.strictObject({ name: keyName });

/** Gives a key (by id or prefix) another name. */
export async function renameKey(desk: Desk, named: string, asked: z.input<typeof nameInput>): Promise<KeySummary> {
  const { name: wanted } = readInput(nameInput, asked);
  return await change(desk, async (inside) => {
    const { id, name: before, account_id: account } = await findKey(inside, named);
    const done = { action: "key.rename", subject: id, account, detail: { before, name: wanted } };
    return toSummary(inside, await writeRow(inside, "api_keys", { name: wanted }, done));
  });
}

/** Revokes a key (by id, prefix or secret) for good; one that is revoked already stays as it is. */
export async function revokeKey(desk: Desk, named: string): Promise<KeySummary> {
  return await change(desk, async (inside) => {
    const key = await findKey(inside, named);
    if (key.revoked_at) return toSummary(inside, key);
    const done = { action: "key.revoke", subject: key.id, account: key.account_id };
    return toSummary(inside, await writeRow(inside, "api_keys", { revoked_at: new Date(desk.clock()) }, done));
  });
}
