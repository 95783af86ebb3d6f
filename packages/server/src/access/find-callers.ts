import type { InferResult, Kysely } from "kysely";
import type { RecordsSchema } from "../records/schema.ts";
import { paceOf, planOf, type Caller } from "./caller.ts";

/** A key's caller, and when the key expires: milliseconds since 1970. */
export type Known = { readonly caller: Caller; readonly expiresMs: number };

/** The callers of the valid ones among these keys, by the keys' digests in base64, with one statement. */
export async function findCallers(
  db: Kysely<RecordsSchema>,
  digests: readonly string[],
): Promise<ReadonlyMap<string, Known>> {
  const rows = await keysInUse(db)
    .where(
      "key.digest",
      "in",
      digests.map((digest) => Buffer.from(digest, "base64")),
    )
    .execute();
  return new Map(rows.map((row) => [Buffer.from(row.digest).toString("base64"), toKnown(row)]));
}

const keysInUse = (db: Kysely<RecordsSchema>) =>
  db
    .selectFrom("api_keys as key")
    .innerJoin("accounts as account", "account.id", "key.account_id")
    .innerJoin("plans as plan", "plan.name", "account.plan")
    .select(["key.id", "key.prefix", "key.digest", "key.datasets", "key.mode", "key.expires_at", "key.account_id"])
    .select(["key.requests_per_minute as key_requests_per_minute", "key.burst as key_burst"])
    .select(["plan.name", "plan.requests_per_minute", "plan.burst", "plan.max_page"])
    .select(["plan.at_once", "plan.key_at_once", "plan.max_list", "plan.datasets as plan_datasets"])
    .where("key.revoked_at", "is", null)
    .where("account.disabled_at", "is", null);

type Row = InferResult<ReturnType<typeof keysInUse>>[number];

const toKnown = (row: Row): Known => ({
  expiresMs: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
  caller: Object.freeze({
    keyId: row.id,
    prefix: row.prefix,
    accountId: row.account_id,
    datasets: row.datasets,
    mode: row.mode,
    keyPace: paceOf(row.key_requests_per_minute, row.key_burst),
    plan: planOf({ ...row, datasets: row.plan_datasets }),
  }),
});
