import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { RecordsSchema } from "../../records/schema.ts";
import { type Clock, withinTime } from "../clock.ts";
import { giveLeadBack, renewLead, takeLead } from "./leader-record.ts";
import { createLease, SURE_SHARE, type Lease } from "./lease.ts";

export type LeadOptions = {
  readonly db: Kysely<RecordsSchema>;
  /** Label of this process for operators: host and process id. */
  readonly label: string;
  /** Duration of a lease unless it is renewed. */
  readonly seconds: number;
  readonly clock: Clock;
  /** Monotonic clock (ms) that never pauses or jumps, even while the process is stopped. */
  readonly monotonicMs: () => number;
  readonly log: Logger;
  /** How often a standby checks whether there is a leader; once a second when absent. */
  readonly lookMs?: number;
};

export type Led = { readonly lease: Lease; readonly isTakenOver: boolean };

const LOOK_MS = 1000;
/** Share of the lease duration between renewals. */
const RENEW_SHARE = 0.3;
/**
 * Share of the lease duration for which a standby that could not reach the records lets the previous leader renew
 * first.
 */
const GRACE_SHARE = 0.5;

/** Takes the lease if no process leads; undefined if one does. */
export async function tryToLead(options: LeadOptions, mayTakeOver = true): Promise<Led | undefined> {
  const { db, label, seconds, clock, monotonicMs, log } = options;
  const requested = monotonicMs();
  const taken = await withinTime(seconds * 1000, clock, takeLead(db, { label, seconds, mayTakeOver }));
  if (taken === undefined) return undefined;
  const { token, from } = taken;
  if (from === null) log.info({ token }, "this process leads");
  else log.warn({ token, from }, "this process leads after another's lease expired");
  // The lease counts from before the request.
  const lease = createLease(token, requested + seconds * 1000 * SURE_SHARE, monotonicMs);
  return { lease, isTakenOver: from !== null };
}

/** Renews the lease while the work runs, and releases it at its end, even if it fails. */
export async function whileLeading<T>(lease: Lease, options: LeadOptions, work: () => Promise<T>): Promise<T> {
  const { db, seconds, clock } = options;
  const over = new AbortController();
  const renewing = renew(lease, options, over.signal);
  try {
    return await work();
  } finally {
    over.abort();
    await renewing;
    const isLost = lease.isOver();
    lease.lose("the leader's work ended");
    const given = isLost ? undefined : withinTime(seconds * 1000, clock, giveLeadBack(db, lease.token));
    await given?.catch(() => undefined);
  }
}

async function renew(lease: Lease, options: LeadOptions, signal: AbortSignal): Promise<void> {
  const { db, seconds, clock, monotonicMs, log } = options;
  const everyMs = seconds * 1000 * RENEW_SHARE;
  while (!lease.isOver()) {
    await clock.sleep(everyMs, signal).catch(() => undefined);
    if (signal.aborted) return;
    const requested = monotonicMs();
    try {
      const isOurs = await withinTime(everyMs, clock, renewLead(db, lease.token, seconds));
      if (isOurs) lease.renewed(requested + seconds * 1000 * SURE_SHARE);
      else {
        log.warn({ token: lease.token }, "another process leads; this one stops writing");
        lease.lose("another process leads");
      }
    } catch (error) {
      log.warn({ err: error }, "the leader's lease could not be renewed; retrying");
    }
  }
}

/** Leads whenever no other process does, until aborted; the lease's signal ends `work`. */
export async function standForLead(
  options: LeadOptions,
  signal: AbortSignal,
  work: (led: Led) => Promise<void>,
): Promise<void> {
  const { seconds, clock, monotonicMs, log, lookMs = LOOK_MS } = options;
  /** Undefined while the records cannot be reached. */
  let reachedSince: number | undefined = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    const mayTakeOver = reachedSince !== undefined && monotonicMs() - reachedSince >= seconds * 1000 * GRACE_SHARE;
    try {
      const led = await tryToLead(options, mayTakeOver);
      reachedSince ??= monotonicMs();
      if (led) await leadUntil(signal, led, options, work);
    } catch (error) {
      reachedSince = undefined;
      log.warn({ err: error }, "the leader could not be determined; retrying");
    }
    await clock.sleep(lookMs, signal).catch(() => undefined);
  }
}

async function leadUntil(
  signal: AbortSignal,
  led: Led,
  options: LeadOptions,
  work: (led: Led) => Promise<void>,
): Promise<void> {
  const end = (): void => led.lease.end("the process stops");
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  try {
    await whileLeading(led.lease, options, () => work(led));
  } catch (error) {
    options.log.error({ err: error }, "the leader's work failed; another process may take over, or this one again");
  } finally {
    signal.removeEventListener("abort", end);
  }
}
