import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import type { IngestMetrics } from "../ingest-metrics.ts";
import { findGuests } from "./guest.ts";
import { createLease, RENEW_SHARE, SURE_SHARE, type Lease } from "./lease.ts";
import {
  giveLeasesBack,
  leaveSharers,
  lookAtSharing,
  nameLeases,
  renewLeases,
  takeLeases,
  type Sharer,
} from "./lease-record.ts";
import { planTakes, type Work } from "./plan-takes.ts";
import { withinTime } from "./within-time.ts";

export type LeaseOptions = {
  readonly db: Kysely<RecordsSchema>;
  readonly sharer: Sharer;
  /** How long a lease lasts unless it is renewed. */
  readonly seconds: number;
  readonly clock: Clock;
  /** Never stands still and never jumps, also while the process is stopped (ms). */
  readonly monotonicMs: () => number;
  readonly log: Logger;
  readonly metrics: Pick<IngestMetrics, "leaseHeld" | "leaseTakeovers">;
};

const LOOK_MS = 1000;
/** Who could not reach the records leaves it to the others to renew first, of a lease's time. */
const GRACE_SHARE = 0.5;

type Held = { readonly work: Work; readonly lease: Lease; readonly ended: Promise<void> };

/** Takes this process's part of the work, renews it, takes over from who died, and hands over to who came. */
export class LeaseKeeper {
  readonly #works: readonly Work[];
  readonly #options: LeaseOptions;
  readonly #lifeMs: number;
  readonly #holding = new Map<string, Held>();
  readonly #looked = new AbortController();
  readonly #closed = new AbortController();
  readonly #renewing: Promise<void>;
  readonly #looking: Promise<void>;
  #isNamed = false;
  /** By the clock that never stands still; undefined while the records cannot be reached. */
  #reachedSince: number | undefined = Number.NEGATIVE_INFINITY;

  constructor(works: readonly Work[], options: LeaseOptions) {
    this.#works = works;
    this.#options = options;
    this.#lifeMs = options.seconds * 1000;
    // It is counted before it looks: who starts at the same time takes a part, not all.
    const counted = this.#renew().catch(() => undefined);
    this.#renewing = counted.then(() => this.#repeat(this.#lifeMs * RENEW_SHARE, this.#closed.signal, "renew"));
    this.#looking = counted.then(() => this.#repeat(LOOK_MS, this.#looked.signal, "look"));
  }

  /** Ends the work, streams before what is worked out from them, and gives every lease back at once. */
  async end(): Promise<void> {
    this.#looked.abort(new Error("the process stops"));
    await this.#looking;
    await this.#endAll("streams");
    await this.#endAll("derive");
    this.#closed.abort(new Error("the process stops"));
    await this.#renewing;
    const { db, sharer } = this.#options;
    await this.#inTime(leaveSharers(db, sharer.id)).catch(() => undefined);
  }

  async #endAll(kind: Work["kind"]): Promise<void> {
    const all = [...this.#holding.values()].filter(({ work }) => work.kind === kind);
    for (const { lease } of all) lease.end("the process stops");
    await Promise.all(all.map(({ ended }) => ended));
  }

  async #repeat(everyMs: number, signal: AbortSignal, turn: "look" | "renew"): Promise<void> {
    const { clock, log } = this.#options;
    while (!signal.aborted) {
      try {
        await (turn === "look" ? this.#look() : this.#renew());
      } catch (error) {
        if (turn === "look") this.#reachedSince = undefined;
        log.warn({ err: error }, "the leases could not be looked at; they are looked at again");
      }
      await clock.sleep(everyMs, signal).catch(() => undefined);
    }
  }

  async #renew(): Promise<void> {
    const { db, sharer, seconds, log, monotonicMs, clock } = this.#options;
    const asked = monotonicMs();
    const all = [...this.#holding.values()];
    const held = all.flatMap(({ lease }) => (lease.isLost() ? [] : lease.held));
    const inTime = <T>(work: Promise<T>): Promise<T> => withinTime(this.#lifeMs * RENEW_SHARE, clock, work);
    const renewed = await inTime(renewLeases(db, sharer, { held, seconds }));
    // After the renewal: a guest waits for one that came after it, and this one counts from before both.
    const hasGuests = await inTime(findGuests(db));
    for (const { work, lease } of all) {
      if (lease.held.every(({ name }) => renewed.has(name))) lease.renewed(this.#sureUntil(asked), hasGuests);
      else if (!lease.isLost() && this.#holding.get(work.name)?.lease === lease) {
        log.warn({ work: work.name }, "a lease was lost: another process has taken it over");
        lease.lose();
      }
    }
  }

  async #look(): Promise<void> {
    const { db, sharer, monotonicMs } = this.#options;
    const names = this.#works.flatMap(({ leases }) => leases);
    if (!this.#isNamed) await this.#inTime(nameLeases(db, names));
    this.#isNamed = true;
    const sharing = await this.#inTime(lookAtSharing(db));
    this.#reachedSince ??= monotonicMs();
    const mayTakeOver = monotonicMs() - this.#reachedSince >= this.#lifeMs * GRACE_SHARE;
    const held = new Set(this.#holding.keys());
    const plan = planTakes(this.#works, held, sharing, { role: sharer.role, mayTakeOver });
    for (const work of plan.take) if (!this.#looked.signal.aborted) await this.#take(work);
    if (plan.handOver) this.#holding.get(plan.handOver)?.lease.end("handed over to another process");
  }

  async #take(work: Work): Promise<void> {
    const { db, sharer, seconds, clock, monotonicMs } = this.#options;
    const asked = monotonicMs();
    const taken = await this.#inTime(takeLeases(db, sharer.id, { names: work.leases, seconds }));
    if (taken === undefined) return;
    const hasGuests = await this.#inTime(findGuests(db)).catch(() => true);
    const lease = createLease(taken.held, this.#sureUntil(asked), { monotonicMs, now: clock.now }, hasGuests);
    tellTaken(this.#options, work, taken.from);
    this.#holding.set(work.name, { work, lease, ended: this.#hold(work, lease) });
  }

  /** Until the work is over, by whatever end; what is still held then is free for anybody. */
  async #hold(work: Work, lease: Lease): Promise<void> {
    const { db, sharer, log, metrics } = this.#options;
    await work
      .run(lease)
      .catch((error: unknown) => log.error({ err: error, work: work.name }, "work under a lease fell over"));
    for (const { name } of lease.held) metrics.leaseHeld.set({ stream: name }, 0);
    this.#holding.delete(work.name);
    if (!lease.isLost()) await this.#inTime(giveLeasesBack(db, sharer.id, lease.held)).catch(() => undefined);
    log.info({ work: work.name, is_lost: lease.isLost() }, "the work is over here");
  }

  #sureUntil(askedMs: number): number {
    return askedMs + this.#lifeMs * SURE_SHARE;
  }

  #inTime<T>(work: Promise<T>): Promise<T> {
    return withinTime(this.#lifeMs, this.#options.clock, work);
  }
}

function tellTaken({ log, metrics }: LeaseOptions, { name, leases }: Work, from: readonly string[]): void {
  for (const stream of leases) {
    metrics.leaseHeld.set({ stream }, 1);
    if (from.length > 0) metrics.leaseTakeovers.inc({ stream });
  }
  if (from.length === 0) log.info({ work: name, leases }, "a lease was taken");
  else log.warn({ work: name, leases, from }, "a lease was taken over from a process that let it run out");
}
