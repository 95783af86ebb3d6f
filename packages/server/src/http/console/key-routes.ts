import { z } from "zod";
import { AccessError, readInput } from "../../access/access-error.ts";
import {
  createKey,
  keyMode,
  limitFields,
  rotateKey,
  listKeys,
  renameKey,
  revokeKey,
  setKeyLimit,
  setKeyMode,
} from "../../access/keys.ts";
import { findKey } from "../../access/find.ts";
import { requireKnownDatasets } from "../../access/known-datasets.ts";
import { mayReach } from "../../access/rights.ts";
import { accountRequested } from "./console-routes.ts";
import type { ConsoleCall, ConsoleRouter } from "./console-router.ts";
import type { ConsoleOptions } from "./console-options.ts";

const KEY_ID = /^key_[0-9A-Z]{26}$/;

const listInput = z.strictObject({ account: z.string().optional(), after: z.string().optional() });
const timestamp = z.union([z.iso.datetime({ offset: true }), z.iso.date()], {
  error: "a date (2027-01-31) or a time (2027-01-31T12:00:00Z)",
});
const makeInput = z.strictObject({
  name: z.string(),
  expires_at: timestamp.nullish(),
  datasets: z.array(z.int().positive()).nullish(),
  mode: keyMode.optional(),
  ...limitFields,
  account: z.string().optional(),
});
const rotateInput = z.strictObject({ overlap_seconds: z.int().min(0).optional() });
const nameInput = z.strictObject({ name: z.string() });
const modeInput = z.strictObject({ mode: keyMode });
const limitInput = z.strictObject(limitFields);

/**
 * API keys: list, create, rotate, revoke, rename, change mode, limit. Only the answers to create and rotate contain the
 * key itself.
 */
export function addKeyRoutes({ on }: ConsoleRouter, { catalogue }: ConsoleOptions): void {
  on("keys.list", async ({ user, admin, query }) => {
    const { account, after } = readInput(listInput, query);
    return await listKeys(admin, accountRequested(user, "keys.read", account), after);
  });
  on("keys.make", async ({ user, admin, body, reply }) => {
    const { name, expires_at, datasets, account, ...more } = readInput(makeInput, body);
    requireKnownDatasets(catalogue, datasets ?? []);
    const made = await createKey(admin, {
      account: accountRequested(user, "keys.make", account) ?? user.account.id,
      ...more,
      name,
      ...(expires_at ? { expires: new Date(expires_at) } : {}),
      ...(datasets ? { datasets } : {}),
    });
    reply.code(201);
    return made;
  });
  on("keys.rotate", async (call) => {
    const { overlap_seconds: overlap } = readInput(rotateInput, call.body);
    const id = await keyToChange(call);
    const rotated = await rotateKey(call.admin, id, overlap === undefined ? undefined : overlap * 1000);
    call.reply.code(201);
    return rotated;
  });
  on("keys.revoke", async (call) => ({ summary: await revokeKey(call.admin, await keyToChange(call)) }));
  on("keys.rename", async (call) => {
    const { name } = readInput(nameInput, call.body);
    return { summary: await renameKey(call.admin, await keyToChange(call), { name }) };
  });
  on("keys.set_mode", async (call) => {
    const wanted = readInput(modeInput, call.body);
    return { summary: await setKeyMode(call.admin, await keyToChange(call), wanted) };
  });
  on("keys.set_limit", async (call) => {
    const wanted = readInput(limitInput, call.body);
    return { summary: await setKeyLimit(call.admin, await keyToChange(call), wanted) };
  });
}

/** The id in the path, of a key that the user may change. Throws not found for another account's key. */
async function keyToChange({ user, admin, params }: ConsoleCall): Promise<string> {
  const id = params["id"] ?? "";
  const key = KEY_ID.test(id) ? await findKey(admin, id) : undefined;
  if (key === undefined || !mayReach(user, "keys.read", key)) throw new AccessError("not_found", "no key has this id");
  if (!mayReach(user, "keys.change", key)) {
    throw new AccessError("forbidden", "a member may change the keys that they made; ask an owner of the account");
  }
  return key.id;
}
