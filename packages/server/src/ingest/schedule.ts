import { setMaxListeners } from "node:events";
import type { Registry } from "prom-client";
import type { Connector } from "../definition/connector.ts";
import type { DaysDerivation } from "../definition/day-derivation.ts";
import type { Refresh, Sweep } from "../definition/regular-jobs.ts";
import type { TableDefinition } from "../definition/table.ts";
import type { Records } from "../records/records.ts";
import type { BackfillRun } from "./backfill.ts";
import type { Clock } from "./clock.ts";
import { createDeriver, type Deriver, type DeriverOptions, type Listener } from "./derive.ts";
import { gatherStreams, type Gathering } from "./gather-streams.ts";
import { createIngestMetrics, dropState, type IngestMetrics } from "./ingest-metrics.ts";
import type { KnownLimits } from "./known.ts";
import { createHold, type Hold } from "./concurrency.ts";
import { standForLead, type LeadOptions } from "./leader/lead.ts";
import type { Lease } from "./leader/lease.ts";
import { findPastLeft } from "./past-left.ts";
import { createPastWalks } from "./past-walks.ts";
import { planStreams } from "./plan-streams.ts";
import type { IngestContext } from "./run-stream.ts";
import { readLive, type LiveParts } from "./status/live-status.ts";
import { readStatus, type IngestStatus, findStatus, reportStatus } from "./status/read-status.ts";
import { openUpstreams } from "./upstreams.ts";
import { createWakes } from "./waking.ts";
import { walkPast, type PastEngine, type PastWalk } from "./backfill-stream.ts";
import { runDerivations } from "./run-derivations.ts";

export type IngestOptions = Pick<
  DeriverOptions,
  "derivations" | "folds" | "store" | "checkpoints" | "log" | "clock" | "onDerived"
> & {
  readonly connectors: readonly Connector[];
  /** Run hourly, per UTC day. */
  readonly dayDerivations?: readonly DaysDerivation[];
  readonly refreshes?: readonly Refresh[];
  /** Delete expired rows. */
  readonly sweeps?: readonly Sweep[];
  readonly records: Pick<Records, "db">;
  /** Setting name → value: the hosts' addresses and the settings that connectors name in `needs`. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** Streams that are disabled whatever the settings. */
  readonly streamsOff?: readonly string[];
  /** Ingest metrics are registered here: one call per registry. */
  readonly metrics: Registry;
  /** Aborting it stops ingest as `stop` does. */
  readonly signal: AbortSignal;
  readonly known?: Partial<KnownLimits>;
  /** Bytes of parked pages' bodies to keep. */
  readonly parkedBytes?: number;
  /** Table for raw upstream payloads, and for how many hours they are kept; absent keeps none. */
  readonly rawPayloads?: { readonly table: TableDefinition; readonly hours: number };
  /** Maximum sockets per stream; instruments beyond their capacity are omitted, and an ongoing gap reports it. */
  readonly socketsPerStream?: number;
  /** How often gaps are checked. */
  readonly fillGapsEverySeconds?: number;
  /** Minimum time to gather touched items before deriving them. */
  readonly gatherMs?: number;
  /**
   * Current venue time (Unix ms), as paper exchanges may run at another speed; the machine's when absent. Rows, gaps
   * and coverage use it; waits, budgets and signatures use `clock`.
   */
  readonly venueNow?: () => number;
  /** Set if other processes with the same records and engine may take over all of this work; absent: none may. */
  readonly leadership?: Leadership | undefined;
};

/** How a process becomes leader, and what it writes to while it leads. */
export type Leadership = LeadOptions & {
  /** Before anything is written: ends the work of an earlier leader. Throws if nothing may be written here. */
  readonly begin: (lease: Lease) => Promise<IngestContext>;
  /** Called when no work is in progress any more. */
  readonly end: () => Promise<void>;
};

export type Ingest = {
  /**
   * Stops the streams between batches, stores and derives what they brought, and saves their positions. Resolves when
   * done.
   */
  readonly stop: () => Promise<void>;
  readonly status: () => Promise<IngestStatus>;
  /** Parts of a stream's requested history left to ingest: see findPastLeft. */
  readonly pastLeft: (stream: string, wish: BackfillRun["range"]) => Promise<readonly BackfillRun["range"][]>;
  /** Whether this process is the one that ingests and writes. */
  readonly leads: () => boolean;
  /**
   * Backfills a stream alongside live streams, at lower priority in the hosts' budgets; undefined if the stream cannot.
   * Waits while another process leads. `range` is ISO, half-open.
   */
  readonly backfill: (
    stream: string,
    range: BackfillRun["range"],
    signal: AbortSignal,
    onProgress?: PastWalk["onProgress"],
  ) => Promise<{ readonly isFinished: boolean; readonly rows: number } | undefined>;
  /**
   * Runs a command's work on what this process writes to; undefined while another process leads. The work has to end
   * when `signal` is aborted. `inPlace`: only the work derives meanwhile.
   */
  readonly beside: <T>(work: (here: Here) => Promise<T>, inPlace?: "of derivations") => Promise<T> | undefined;
};

export type Here = IngestContext & {
  readonly signal: AbortSignal;
  /** Notified of what the work stores. */
  readonly deriver: Listener;
};

/** Present while this process leads. */
type Now = { readonly live: LiveParts; readonly engine: PastEngine; readonly here: Here; readonly hold: Hold };

/**
 * Starts every stream that its settings allow, and the derivations that follow them. A failing stream does not stop the
 * others.
 */
export function startIngest(given: IngestOptions): Ingest {
  const { log, clock, store, connectors, streamsOff, leadership, venueNow = clock.now } = given;
  const { db } = given.records;
  const metrics = createIngestMetrics(given.metrics);
  const planned = planStreams(connectors, given.settings, streamsOff);
  const gathering = new Map<string, Gathering>();
  const stopped = new AbortController();
  const signal = AbortSignal.any([given.signal, stopped.signal]);
  setMaxListeners(0, signal);
  const [besides, pastWalks] = [new Set<Promise<unknown>>(), createPastWalks()];
  let now: Now | undefined;

  /** Runs everything until aborted; what is stored is derived before it ends. */
  const work = async (context: IngestContext, until: AbortSignal): Promise<void> => {
    setMaxListeners(0, until);
    const shared = { ...given, ...context, metrics, planned, gathering, wakes: createWakes() };
    const [upstreams, deriver, hold] = [openUpstreams(shared), createDeriver(shared), createHold()];
    const live: LiveParts = { planned, gathering, clock, venueNow, upstreams, deriver };
    const engine = { ...shared, upstreams, deriver: outsideOf(hold, deriver) };
    now = { live, engine, here: { ...context, signal: until, deriver: engine.deriver }, hold };
    metrics.leader.set(1);
    try {
      const stored = gatherStreams(engine, until);
      const reporting = reportStatus({ ...live, db: context.db, log, metrics }, until);
      await Promise.all([stored, runDerivations({ ...shared, deriver, hold, stored, pastWalks }, until), reporting]);
      await Promise.allSettled(besides);
    } finally {
      now = undefined;
      dropState(metrics);
      await upstreams.close();
    }
  };
  const working =
    leadership === undefined ? work({ store, db }, signal) : workAsLeader(leadership, metrics, signal, work);
  working.catch((error: unknown) => log.error({ err: error }, "ingest did not end cleanly"));
  return {
    stop: () => {
      stopped.abort(new Error("ingest stops"));
      return working;
    },
    backfill: (name, range, cut, onProgress) => {
      const connector = connectors.find((one) => one.name === name);
      if (connector?.kind !== "pull" || !connector.canBackfill) return Promise.resolve(undefined);
      const walk = { connector, range, signal: AbortSignal.any([signal, cut]), ...(onProgress && { onProgress }) };
      return walkHere(() => now, clock, besides, walk).finally(pastWalks.begin());
    },
    beside: (task, inPlace) => {
      if (now === undefined || now.here.signal.aborted) return undefined;
      const { here, hold } = now;
      const going = inPlace === undefined ? task(here) : hold.during(() => task(here));
      keepAmong(besides, going);
      return going;
    },
    leads: () => now !== undefined,
    pastLeft: (name, wish) => findPastLeft(db, name, wish),
    status: async () => {
      if (now === undefined) return findStatus({ connectors, db, now: clock.now(), venueNow: venueNow() });
      return readStatus({ connectors, db, live: readLive(now.live), now: clock.now(), venueNow: venueNow() });
    },
  };
}

/** Flushes wait while a command derives. */
const outsideOf = (hold: Hold, deriver: Deriver): Deriver => ({
  ...deriver,
  flush: (tables) => hold.released().then(() => deriver.flush(tables)),
  flushLeft: (tables) => hold.released().then(() => deriver.flushLeft(tables)),
});

/** Runs the work while this process leads: one of several processes works at a time. */
function workAsLeader(
  leadership: Leadership,
  metrics: IngestMetrics,
  signal: AbortSignal,
  work: (context: IngestContext, until: AbortSignal) => Promise<void>,
): Promise<void> {
  return standForLead(leadership, signal, async ({ lease, isTakenOver }) => {
    if (isTakenOver) metrics.takeovers.inc();
    try {
      await work(await leadership.begin(lease), lease.signal);
    } finally {
      await leadership.end();
    }
  });
}

const LOOK_MS = 500;

/** Backfills while this process leads, resuming from the cursor whenever it leads again. */
async function walkHere(
  now: () => Now | undefined,
  clock: Clock,
  besides: Set<Promise<unknown>>,
  walk: PastWalk,
): Promise<{ readonly isFinished: boolean; readonly rows: number }> {
  let done = { isFinished: false, rows: 0 };
  while (!done.isFinished && !walk.signal.aborted) {
    const current = now();
    if (current === undefined || current.here.signal.aborted) {
      await clock.sleep(LOOK_MS, walk.signal).catch(() => undefined);
      continue;
    }
    const { engine, here } = current;
    const walking = walkPast(engine, { ...walk, signal: AbortSignal.any([walk.signal, here.signal]) });
    keepAmong(besides, walking);
    try {
      done = await walking;
    } catch (error) {
      if (!here.signal.aborted) throw error;
    }
  }
  return done;
}

/** Work in progress is awaited before this process releases its lease. */
function keepAmong(besides: Set<Promise<unknown>>, work: Promise<unknown>): void {
  besides.add(work);
  void work.catch(() => undefined).then(() => besides.delete(work));
}
