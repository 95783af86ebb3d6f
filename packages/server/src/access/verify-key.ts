import { timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Kysely } from "kysely";
import type { RecordsSchema } from "../records/schema.ts";
import type { Caller } from "./caller.ts";
import { digestOf, isKey } from "./key-format.ts";

/** How long an answer is reused, from the start of its look-up: a revocation is felt everywhere within one second. */
const LIFE_MS = 900;
/** How long it is reused while the records cannot be read. */
const LIFE_WITHOUT_RECORDS_MS = 300_000;
const MAX_KEPT = 50_000;

type Known = { readonly caller: Caller; readonly expiresMs: number };
type Kept = { readonly found: Promise<Known | undefined>; readonly untilMs: number };
type Last = { readonly known: Known; readonly askedMs: number };

export type KeyVerifier = {
  /**
   * The token's caller; undefined alike for a malformed, unknown, expired or revoked one. While the records fail those
   * who were known shortly before are known still; throws for the others.
   */
  readonly verify: (token: string) => Promise<Caller | undefined>;
  /** Drops what is kept, so that a change made in this process holds at once. */
  readonly forget: () => void;
  /** Looks everybody up anew; who was known is known still while the records fail. */
  readonly lookAgain: () => void;
};

export function keyVerifier(db: Kysely<RecordsSchema>, clock: () => number): KeyVerifier {
  const kept = new LRUCache<string, Kept>({ max: MAX_KEPT });
  const last = new LRUCache<string, Last>({ max: MAX_KEPT });
  const find = (id: string, token: string): Promise<Known | undefined> => {
    const now = clock();
    const before = kept.get(id);
    if (before && now < before.untilMs && now >= before.untilMs - LIFE_MS) return before.found;
    const found = findCaller(db, token).then(
      (known) => {
        if (known) last.set(id, { known, askedMs: now });
        else last.delete(id);
        return known;
      },
      (error: unknown) => {
        const earlier = last.get(id);
        if (earlier && now - earlier.askedMs < LIFE_WITHOUT_RECORDS_MS) return earlier.known;
        throw error;
      },
    );
    const entry = { found, untilMs: now + LIFE_MS };
    kept.set(id, entry);
    found.catch(() => {
      if (kept.get(id) === entry) kept.delete(id);
    });
    return found;
  };
  return {
    verify: async (token) => {
      if (!isKey(token)) return undefined;
      const known = await find(digestOf(token).toString("base64"), token);
      return known && clock() < known.expiresMs ? known.caller : undefined;
    },
    forget: () => {
      kept.clear();
      last.clear();
    },
    lookAgain: () => kept.clear(),
  };
}

async function findCaller(db: Kysely<RecordsSchema>, token: string): Promise<Known | undefined> {
  const digest = digestOf(token);
  const row = await db
    .selectFrom("api_keys as key")
    .innerJoin("accounts as account", "account.id", "key.account_id")
    .innerJoin("plans as plan", "plan.name", "account.plan")
    .select([
      "key.id",
      "key.prefix",
      "key.digest",
      "key.datasets",
      "key.expires_at",
      "key.revoked_at",
      "key.account_id",
    ])
    .select(["account.disabled_at", "plan.name", "plan.requests_per_minute", "plan.burst", "plan.max_page"])
    .select("plan.datasets as plan_datasets")
    .where("key.digest", "=", digest)
    .executeTakeFirst();
  if (!row || row.revoked_at !== null || row.disabled_at !== null) return undefined;
  if (!timingSafeEqual(row.digest, digest)) return undefined;
  return {
    expiresMs: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
    caller: Object.freeze({
      keyId: row.id,
      prefix: row.prefix,
      accountId: row.account_id,
      datasets: row.datasets,
      plan: {
        name: row.name,
        requestsPerMinute: row.requests_per_minute,
        burst: row.burst,
        maxPage: row.max_page,
        datasets: row.plan_datasets,
      },
    }),
  };
}
