import type { AccountRow, KeyRow, PlanRow, UserRow } from "../records/schema.ts";
import { AccessError } from "./access-error.ts";
import type { AdminContext } from "./change.ts";
import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const SECRET_CHARS = 26;
const CHECKSUM_CHARS = 6;
const PUBLIC_CHARS = 6;
const FORM = /^alm_live_([a-z2-7]{26})_([a-z2-7]{6})$/;

/** A new API key, `alm_live_<26 base32>_<6 checksum>`: 130 random bits. */
export function newKey(random: (bytes: number) => Uint8Array = randomBytes): string {
  const secret = [...random(SECRET_CHARS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return `alm_live_${secret}_${checksumOf(secret)}`;
}

/** Whether a text has a key's form and checksum: any single wrong character is detected without a look-up. */
export function isKey(text: string): boolean {
  const [, secret, checksum] = FORM.exec(text) ?? [];
  return secret !== undefined && checksumOf(secret) === checksum;
}

/** The stored digest of a key. A key has 130 random bits, so a plain hash cannot be reversed by search. */
export function digestOf(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

/** The same as text: the cache key of a look-up. */
export function idOf(key: string): string {
  return hash("sha256", key, "base64");
}

/** The part that may be shown and logged. */
export function prefixOf(key: string): string {
  return key.slice(0, "alm_live_".length + PUBLIC_CHARS);
}

/** The low 30 bits of CRC-32 over the characters' values. Linear, so trying each difference proves it for every key. */
function checksumOf(secret: string): string {
  const values = new Uint8Array(secret.length);
  for (let place = 0; place < secret.length; place += 1) values[place] = ALPHABET.indexOf(secret[place] ?? "");
  let rest = crc32(values);
  let checksum = "";
  for (let place = 0; place < CHECKSUM_CHARS; place += 1) {
    checksum = `${ALPHABET[rest % ALPHABET.length]}${checksum}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return checksum;
}

const asAddress = (text: string): string => text.trim().toLowerCase();

/** The account with this id or e-mail address. */
export async function findAccount(admin: AdminContext, idOrEmail: string): Promise<AccountRow> {
  const account = await admin.db
    .selectFrom("accounts")
    .selectAll()
    .where((by) => by.or([by("id", "=", idOrEmail), by("email", "=", asAddress(idOrEmail))]))
    .executeTakeFirst();
  if (!account) throw new AccessError("not_found", `no account has the id or address ${idOrEmail}`);
  return account;
}

/**
 * The user with this id or e-mail address, locked until the transaction ends if so wanted. Throws AccessError: conflict
 * if users of several accounts have it.
 */
export async function findUser(admin: AdminContext, idOrEmail: string, isLocked = false): Promise<UserRow> {
  const [user, another] = await admin.db
    .selectFrom("users")
    .selectAll()
    .where((by) => by.or([by("id", "=", idOrEmail), by("email", "=", asAddress(idOrEmail))]))
    .limit(2)
    .$if(isLocked, (query) => query.forUpdate())
    .execute();
  if (!user) throw new AccessError("not_found", `no user has the id or address ${idOrEmail}`);
  if (another) throw new AccessError("conflict", `several users have the address ${idOrEmail}; name one by its id`);
  return user;
}

/** The key with this id, this public prefix (if only one has it) or this secret. */
export async function findKey(admin: AdminContext, named: string): Promise<KeyRow> {
  const query = admin.db.selectFrom("api_keys").selectAll().limit(2);
  const rows = await (
    isKey(named)
      ? query.where("digest", "=", digestOf(named))
      : query.where((by) => by.or([by("id", "=", named), by("prefix", "=", named)]))
  ).execute();
  const [row, another] = rows;
  // A mistyped secret must not come back in a message or a log.
  if (!row) throw new AccessError("not_found", "no key has this id or prefix");
  if (another) throw new AccessError("conflict", `several keys have the prefix ${row.prefix}; name one by its id`);
  return row;
}

export async function findPlan(admin: AdminContext, name: string): Promise<PlanRow> {
  const plans = await admin.db.selectFrom("plans").selectAll().orderBy("rank").execute();
  const plan = plans.find((known) => known.name === name);
  if (plan) return plan;
  throw new AccessError(
    "not_found",
    `no plan is named ${name}; there are ${plans.map((known) => known.name).join(", ")}`,
  );
}
