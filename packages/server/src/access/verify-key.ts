import { LRUCache } from "lru-cache";
import { atMost } from "../definition/at-most.ts";
import type { Kysely } from "kysely";
import { inTime } from "../definition/in-time.ts";
import { RecordsError } from "../records/records-error.ts";
import type { RecordsSchema } from "../records/schema.ts";
import type { Caller } from "./caller.ts";
import { findCallers, type Known } from "./find-callers.ts";
import { idOf, isKey } from "./find.ts";
import { openStrangers } from "./strangers.ts";

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
  const strangers = openStrangers(MAX_KEPT, (ids) => findCallers(db, ids));
  const find = (id: string): Promise<Known | undefined> => {
    const now = clock();
    const before = kept.get(id);
    if (before && now < before.requestedMs + before.lifeMs && now >= before.requestedMs) return before.found;
    const earlier = last.get(id);
    const known = earlier && now - earlier.requestedMs < LIFE_WITHOUT_RECORDS_MS ? earlier.known : undefined;
    const looked = strangers(id);
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
