import { sql, type Kysely } from "kysely";
import type { Logger } from "pino";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Fence } from "../../store/fence.ts";
import type { Clock } from "../clock.ts";
import { createLease, RENEW_SHARE, SURE_SHARE } from "./lease.ts";
import { leaveSharers, renewLeases } from "./lease-record.ts";
import { withinTime } from "./within-time.ts";

type Db = Kysely<RecordsSchema>;

export type GuestOptions = {
  readonly db: Db;
  /** `label` is for people. */
  readonly id: string;
  readonly label: string;
  /** How long others look out for it after it last said that it lives. */
  readonly seconds: number;
  /** Who gathers has leases; without it, somebody who gathers alone looks for guests in this time (s). */
  readonly aloneSeconds?: number | undefined;
  readonly clock: Clock;
  /** Never stands still and never jumps, also while the process is stopped (ms). */
  readonly monotonicMs: () => number;
  readonly log: Logger;
  readonly signal: AbortSignal;
};

/** A command that stores rows beside whoever owns their tables. */
export type Guest = {
  readonly fence: Fence;
  /** Waits until it may write. */
  readonly sure: () => Promise<void>;
  /** The rest need not look out for it any more. */
  readonly leave: () => Promise<void>;
};

const GUEST = "guest";
/** While owners do not know of it yet. */
const LOOK_MS = 200;

/** Whether a guest may be storing rows now. */
export async function findGuests(db: Db): Promise<boolean> {
  const [found] = await db
    .selectFrom("processes")
    .select("id")
    .where("role", "=", GUEST)
    .where("expires_at", ">=", sql<Date>`clock_timestamp()`)
    .limit(1)
    .execute();
  return found !== undefined;
}

/**
 * Says that there is a guest, and resolves once every owner knows of it: an owner reads it with each renewal, and one
 * that has not renewed since is not sure of its lease any more. A guest that could not say so for too long begins anew.
 */
export async function becomeGuest(options: GuestOptions): Promise<Guest> {
  const { db, id, label, seconds, aloneSeconds, clock, monotonicMs, log, signal } = options;
  const lifeMs = seconds * 1000;
  const inTime = <T>(work: Promise<T>): Promise<T> => withinTime(lifeMs, clock, work);
  const left = new AbortController();
  const presence = createLease([], Number.NEGATIVE_INFINITY, { monotonicMs, now: clock.now });
  let saidUntil = Number.NEGATIVE_INFINITY;
  let unaware: Date | null = null;
  const turn = async (): Promise<void> => {
    const asked = monotonicMs();
    await inTime(renewLeases(db, { id, label, role: GUEST }, { held: [], seconds }));
    if (monotonicMs() >= saidUntil) unaware = await inTime(unawareUntil(db, aloneSeconds));
    saidUntil = asked + lifeMs * SURE_SHARE;
    if (unaware !== null && !(await inTime(isPast(db, unaware)))) return;
    unaware = null;
    presence.renewed(saidUntil);
  };
  const leave = async (): Promise<void> => {
    left.abort();
    presence.end("the command is over");
    await renewing;
    await inTime(leaveSharers(db, id)).catch(() => undefined);
  };
  await turn();
  const renewing = (async () => {
    while (!left.signal.aborted) {
      await clock.sleep(unaware === null ? lifeMs * RENEW_SHARE : LOOK_MS, left.signal).catch(() => undefined);
      if (!left.signal.aborted)
        await turn().catch((error: unknown) =>
          log.warn({ err: error }, "the records could not be told that this command goes on; they are told again"),
        );
    }
  })();
  const stop = (): void => presence.end("the command was told to end");
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) stop();
    await presence.sure();
    signal.throwIfAborted();
  } catch (error) {
    await leave();
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return { fence: { check: presence.check, isGuest: true }, sure: presence.sure, leave };
}

/** Until when leases run that may have been renewed without a look at the guest; null where none does. */
async function unawareUntil(db: Db, aloneSeconds: number | undefined): Promise<Date | null> {
  if (aloneSeconds !== undefined) {
    const until = sql<Date>`clock_timestamp() + make_interval(secs => ${aloneSeconds}::double precision)`;
    return (await db.selectNoFrom(until.as("until")).executeTakeFirstOrThrow()).until;
  }
  const { last } = await db
    .selectFrom("leases")
    .select(sql<Date | null>`max(expires_at) filter (where expires_at > clock_timestamp())`.as("last"))
    .executeTakeFirstOrThrow();
  return last;
}

async function isPast(db: Db, moment: Date): Promise<boolean> {
  const { is_past: isIt } = await db
    .selectNoFrom(sql<boolean>`clock_timestamp() > ${moment}::timestamptz + interval '1 millisecond'`.as("is_past"))
    .executeTakeFirstOrThrow();
  return isIt;
}
