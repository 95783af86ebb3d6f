import { LRUCache } from "lru-cache";
import { atMost } from "../definition/at-most.ts";
import type { Kysely, InferResult } from "kysely";
import { inTime } from "../definition/pacing.ts";
import { RecordsError } from "../records/records-error.ts";
import type { RecordsSchema } from "../records/schema.ts";
import { type Caller, paceOf, planOf } from "./caller.ts";
import { idOf, isKey } from "./find.ts";
import { openIdLookup } from "./id-lookup.ts";

/** How long a result is reused, from its look-up's start: a revocation takes effect within one second everywhere. */
const LIFE_MS = 900;
/** How long an unanswered look-up blocks another one, so that not every request queries an unresponsive server. */
const SILENT_LIFE_MS = 5000;
/** The longest that a known caller waits for a look-up. */
const PATIENCE_MS = 500;
/** How long a result is reused while the records cannot be read. */
const LIFE_WITHOUT_RECORDS_MS = 300_000;
const MAX_KEPT = 50_000;

/** The look-ups of a key since the last full refresh: how many began, and the latest that was answered. */
type Thread = { began: number; answered: number };
type Kept = {
  readonly found: Promise<Known | undefined>;
  readonly requestedMs: number;
  readonly thread: Thread;
  lifeMs: number;
};
type Last = { readonly known: Known; readonly requestedMs: number };

export type KeyVerifier = {
  /**
   * The token's caller; undefined alike for a malformed, unknown, expired or revoked one. While the records fail or do
   * not answer, recently known callers remain valid; throws for all others.
   */
  readonly verify: (token: string) => Promise<Caller | undefined>;
  /** Clears the cache, so that a change made in this process takes effect at once. */
  readonly forget: () => void;
  /** Looks all keys up again; known callers remain valid while the records fail. */
  readonly lookAgain: () => void;
};

export function keyVerifier(db: Kysely<RecordsSchema>, clock: () => number): KeyVerifier {
  const kept = new LRUCache<string, Kept>(atMost(MAX_KEPT));
  const last = new LRUCache<string, Last>(atMost(MAX_KEPT));
  const lookUp = openIdLookup(MAX_KEPT, (ids) => findCallers(db, ids));
  const find = (id: string): Promise<Known | undefined> => {
    const now = clock();
    const before = kept.get(id);
    if (before && now < before.requestedMs + before.lifeMs && now >= before.requestedMs) return before.found;
    const earlier = last.get(id);
    const known = earlier && now - earlier.requestedMs < LIFE_WITHOUT_RECORDS_MS ? earlier.known : undefined;
    const looked = lookUp(id);
    const found = known === undefined ? looked : inTime(looked, PATIENCE_MS, tooLate).catch(() => known);
    const thread = before?.thread ?? { began: 0, answered: 0 };
    const turn = (thread.began += 1);
    const entry: Kept = { found, requestedMs: now, thread, lifeMs: SILENT_LIFE_MS };
    kept.set(id, entry);
    const remember = (reported: Known | undefined): void => {
      entry.lifeMs = LIFE_MS;
      // Ignore results of look-ups that began before the cache was cleared or that a later one overtook.
      if (kept.get(id)?.thread !== thread || thread.answered > turn) return;
      thread.answered = turn;
      if (reported) last.set(id, { known: reported, requestedMs: now });
      else last.delete(id);
    };
    const giveUp = (): void => {
      entry.lifeMs = LIFE_MS;
      if (known === undefined && kept.get(id) === entry) kept.delete(id);
    };
    looked.then(remember, giveUp);
    return found;
  };
  return {
    verify: async (token) => {
      if (!isKey(token)) return undefined;
      const known = await find(idOf(token));
      return known && clock() < known.expiresMs ? known.caller : undefined;
    },
    forget: () => {
      kept.clear();
      last.clear();
    },
    lookAgain: () => kept.clear(),
  };
}

const tooLate = (): RecordsError => new RecordsError("busy", "the control records did not answer in time");

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
