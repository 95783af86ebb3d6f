import { setMaxListeners } from "node:events";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Connector } from "../definition/connector.ts";
import type { DayDerivation } from "../definition/day-derivation.ts";
import type { Refresh } from "../definition/refresh.ts";
import type { Derivation } from "../definition/derivation.ts";
import type { Sweep } from "../definition/sweep.ts";
import type { Fold } from "../definition/fold.ts";
import type { TableDefinition } from "../definition/table.ts";
import type { Records } from "../records/records.ts";
import type { Store } from "../store/store.ts";
import type { BackfillRun } from "./backfill.ts";
import { createAnnouncer } from "./announcer.ts";
import type { Clock } from "./clock.ts";
import { saveState } from "./control/stream-record.ts";
import { gatherStreams, type GatherOptions, type Gathering } from "./gather-streams.ts";
import { createIngestMetrics } from "./ingest-metrics.ts";
import type { KnownLimits } from "./known.ts";
import { shareWork, type Sharing } from "./leases/share-work.ts";
import { findPastLeft } from "./past-left.ts";
import { planStreams } from "./plan-streams.ts";
import type { IngestStatus } from "./status/read-status.ts";
import { readOwnStatus, reportStatus } from "./status/report-status.ts";
import { openUpstreams } from "./upstreams.ts";
import { createWakes } from "./wakes.ts";
import { walkPast } from "./walk-past.ts";
import { workOut } from "./work-out.ts";

export type IngestOptions = {
  readonly connectors: readonly Connector[];
  readonly derivations: readonly Derivation[];
  readonly folds?: readonly Fold[];
  /** Worked out hourly, a UTC day at a time. */
  readonly dayDerivations?: readonly DayDerivation[];
  readonly refreshes?: readonly Refresh[];
  /** Take away what is kept no longer. */
  readonly sweeps?: readonly Sweep[];
  readonly store: Store;
  readonly records: Pick<Records, "db">;
  /** Setting name → value: the hosts' addresses and what connectors name in `needs`. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** Streams that are kept off whatever the settings. */
  readonly streamsOff?: readonly string[];
  readonly log: Logger;
  /** Our metrics are added to it: one call a registry. */
  readonly metrics: Registry;
  readonly clock: Clock;
  /** Aborting it stops ingest as `stop` does. */
  readonly signal: AbortSignal;
  readonly known?: Partial<KnownLimits>;
  /** Bodies of parked pages that are kept. */
  readonly parkedBytes?: number;
  /** Where what upstreams send is kept as it came, and for how many hours; absent keeps nothing. */
  readonly rawPayloads?: { readonly table: TableDefinition; readonly hours: number };
  /** Most sockets of one stream; what finds no place on them is left out, and a lasting gap says so. */
  readonly socketsPerStream?: number;
  /** How often gaps are looked at. */
  readonly fillGapsEverySeconds?: number;
  /**
   * Now by the venues' clock (Unix ms), where paper exchanges run at another speed; the machine's when absent.
   * Moments of rows, gaps and coverage are on it; waiting, budgets and signatures stay on `clock`.
   */
  readonly venueNow?: () => number;
  /** Called after rows of a derived table were made anew: answers kept from it are old. */
  readonly onDerived?: (table: TableDefinition) => void;
  /** With other processes of the same records and engine; absent: there are none, and all of it is done here. */
  readonly sharing?: Sharing | undefined;
};

export type Ingest = {
  /** Ends the streams between batches, stores and derives what came, saves where they are. Resolves when done. */
  readonly stop: () => Promise<void>;
  readonly status: () => Promise<IngestStatus>;
  /** What of a wished past of a stream is left to gather: see findPastLeft. */
  readonly pastLeft: (stream: string, wish: BackfillRun["range"]) => Promise<readonly BackfillRun["range"][]>;
  /**
   * Gathers a running stream's past beside its live run, behind it in the hosts' budgets; undefined where the stream
   * cannot. Waits while another process has the stream. `range` is ISO, half-open.
   */
  readonly backfill: (
    stream: string,
    range: BackfillRun["range"],
    signal: AbortSignal,
  ) => Promise<{ readonly isFinished: boolean; readonly rows: number } | undefined>;
};

/** Starts every stream that its settings allow, and the derivations behind them. A failing stream stops no other. */
export function startIngest(given: IngestOptions): Ingest {
  const { log, clock, records, connectors, streamsOff, sharing, venueNow = clock.now } = given;
  const { db } = records;
  const metrics = createIngestMetrics(given.metrics);
  const upstreams = openUpstreams({ ...given, db, metrics });
  const announcer = createAnnouncer(clock);
  const planned = planStreams(connectors, given.settings, streamsOff);
  const gathering = new Map<string, Gathering>();
  const options: GatherOptions = { ...given, metrics, upstreams, announcer, wakes: createWakes(), planned, gathering };
  const stopped = new AbortController();
  const signal = AbortSignal.any([given.signal, stopped.signal]);
  setMaxListeners(0, signal);
  const shown = { planned, gathering, clock, venueNow, upstreams, announcer, db, log, metrics };
  const reporting = reportStatus(shown, signal);
  const working = sharing === undefined ? workAlone(options, given, signal) : workShared(options, sharing, signal);

  const end = async (): Promise<void> => {
    await Promise.all([working, reporting]);
    await upstreams.close();
  };
  const ended = aborted(signal).then(end);
  ended.catch((error: unknown) => log.error({ err: error }, "ingest did not end cleanly"));
  return {
    stop: () => {
      stopped.abort(new Error("ingest stops"));
      return ended;
    },
    backfill: (name, range, cut) => {
      const connector = connectors.find((one) => one.name === name);
      const isOff = streamsOff?.includes(name) === true;
      if (connector?.kind !== "pull" || !connector.canBackfill || isOff) return Promise.resolve(undefined);
      return walkHere(options, { connector, range, signal: AbortSignal.any([signal, cut]) });
    },
    pastLeft: (name, wish) => findPastLeft(db, name, wish, clock.now()),
    status: () => readOwnStatus(shown),
  };
}

/** Everything, as long as the process runs: what is stored is worked out before it ends. */
async function workAlone(
  options: GatherOptions,
  { store, records }: IngestOptions,
  signal: AbortSignal,
): Promise<void> {
  const ground = { store, db: records.db };
  const stored = gatherStreams(options, options.planned, ground, signal);
  await Promise.all([stored, workOut(options, ground, signal, { stored })]);
}

/** This process's part. */
async function workShared(options: GatherOptions, sharing: Sharing, signal: AbortSignal): Promise<void> {
  const { planned, clock, log } = options;
  const keeper = shareWork(options, sharing);
  for (const { connector, state } of planned) {
    if (state === "on") continue;
    await saveState(sharing.db, connector.name, state, new Date(clock.now())).catch((error: unknown) =>
      log.warn({ err: error, stream: connector.name }, "a stream's state could not be written down"),
    );
  }
  await aborted(signal);
  await keeper.end();
}

const LOOK_MS = 500;

/** Walks a past where the stream runs: from the saved place on wherever it is handed back to this process. */
async function walkHere(
  { gathering, clock }: GatherOptions,
  { connector, range, signal }: Pick<Parameters<typeof walkPast>[1], "connector" | "range" | "signal">,
): Promise<{ readonly isFinished: boolean; readonly rows: number }> {
  let done = { isFinished: false, rows: 0 };
  while (!done.isFinished && !signal.aborted) {
    const here = gathering.get(connector.name);
    if (here === undefined || here.signal.aborted) {
      await clock.sleep(LOOK_MS, signal).catch(() => undefined);
      continue;
    }
    const walking = walkPast(here.engine, { connector, range, signal: AbortSignal.any([signal, here.signal]) });
    here.beside.add(walking);
    try {
      done = await walking;
    } catch (error) {
      if (!here.signal.aborted) throw error;
    } finally {
      here.beside.delete(walking);
    }
  }
  return done;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
