import { setMaxListeners } from "node:events";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Connector, Feed } from "../definition/connector.ts";
import type { DayDerivation } from "../definition/day-derivation.ts";
import type { Refresh } from "../definition/refresh.ts";
import type { Derivation } from "../definition/derivation.ts";
import type { Sweep } from "../definition/sweep.ts";
import type { Fold } from "../definition/fold.ts";
import type { TableDefinition } from "../definition/table.ts";
import type { Records } from "../records/records.ts";
import type { Store } from "../store/store.ts";
import type { BackfillRun } from "./backfill.ts";
import type { Clock } from "./clock.ts";
import { saveState } from "./control/stream-record.ts";
import { deriveDaysRegularly } from "./day/derive-days-regularly.ts";
import { createDeriver, type Deriver } from "./derive.ts";
import { fillGaps } from "./gaps/fill-gaps.ts";
import { createIngestMetrics, type IngestMetrics } from "./ingest-metrics.ts";
import { createKnown, type KnownLimits } from "./known.ts";
import { planStreams, type Planned } from "./plan-streams.ts";
import { runPull } from "./pull.ts";
import { refreshRegularly } from "./refresh/refresh-regularly.ts";
import { replayRegularly } from "./replay/replay-regularly.ts";
import { runSocket } from "./socket/run-socket.ts";
import type { IngestStatus } from "./status/read-status.ts";
import { readOwnStatus, reportStatus } from "./status/report-status.ts";
import { createStreamWatch, type StreamWatch } from "./stream-watch.ts";
import { openUpstreams, type Upstreams } from "./upstreams.ts";
import { walkPast } from "./walk-past.ts";
import { createStoredFills } from "./stored-fills.ts";
import { createStoredPosts } from "./stored-posts.ts";
import { sweepRegularly } from "./sweep/sweep-regularly.ts";
import { createWrite } from "./write.ts";

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
};

export type Ingest = {
  /** Ends the streams between batches, stores and derives what came, saves where they are. Resolves when done. */
  readonly stop: () => Promise<void>;
  readonly status: () => Promise<IngestStatus>;
  /**
   * Gathers a running stream's past beside its live run, behind it in the hosts' budgets; undefined where the stream
   * cannot. `range` is ISO, half-open.
   */
  readonly backfill: (
    stream: string,
    range: BackfillRun["range"],
    signal: AbortSignal,
  ) => Promise<{ readonly isFinished: boolean; readonly rows: number } | undefined>;
};

type Engine = Omit<IngestOptions, "metrics"> & {
  readonly metrics: IngestMetrics;
  readonly upstreams: Upstreams;
  readonly deriver: Deriver;
};

/** Sockets are told of more than they take, so that they can say how many they leave out. */
const SOCKET_MARKETS = 50_000;
const FLUSH_MS = 10_000;
const START_AGAIN_MS = 5000;

/** Starts every stream that its settings allow, and the derivations behind them. A failing stream stops no other. */
export function startIngest(options: IngestOptions): Ingest {
  const { log, clock, records, venueNow = clock.now } = options;
  const metrics = createIngestMetrics(options.metrics);
  const upstreams = openUpstreams({ ...options, db: records.db, metrics });
  const deriver = createDeriver({ ...options, db: records.db, metrics });
  const engine: Engine = { ...options, metrics, upstreams, deriver };
  const stopped = new AbortController();
  const signal = AbortSignal.any([options.signal, stopped.signal]);
  setMaxListeners(0, signal);
  const planned = planStreams(options.connectors, options.settings, options.streamsOff);
  const watches = new Map(planned.map(({ connector }) => [connector.name, createStreamWatch(connector.name)]));
  const streams = planned.map((plan) => startStream(engine, plan, watches.get(plan.connector.name), signal));
  const filling = fillGaps({
    planned,
    db: records.db,
    clock,
    log,
    signal,
    everySeconds: options.fillGapsEverySeconds,
    walk: async ({ by, gaps, range }, cut) => {
      await walkPast(engine, { connector: by, gaps, range, signal: cut, attempts: 1 });
    },
  });
  const shown = { planned, watches, clock, venueNow, upstreams, deriver, db: records.db, log, metrics };
  const reporting = reportStatus(shown, signal);
  const replaying = replayRegularly({
    ...engine,
    db: records.db,
    write: createWrite({ ...engine, announceKnown: true }),
    flush: () => deriver.flush(),
    signal,
  });
  const derived = new AbortController();
  const deriving = deriver.run(derived.signal);
  const regularly = workRegularly(options, metrics, venueNow, signal);

  const end = async (): Promise<void> => {
    await Promise.all([...streams, filling, reporting, replaying, regularly]);
    derived.abort(new Error("ingest stops"));
    await deriving;
    await within(FLUSH_MS, clock, deriver.flush()).catch((error: unknown) =>
      log.error({ err: error }, "what was stored last could not be worked out; the next start does it"),
    );
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
      const connector = options.connectors.find((one) => one.name === name);
      const isOff = options.streamsOff?.includes(name) === true;
      if (connector?.kind !== "pull" || !connector.canBackfill || isOff) return Promise.resolve(undefined);
      return walkPast(engine, { connector, range, signal: AbortSignal.any([signal, cut]) });
    },
    status: () => readOwnStatus(shown),
  };
}

/** What is worked out, or taken away, at regular moments, not with each batch. */
async function workRegularly(
  options: IngestOptions,
  metrics: IngestMetrics,
  venueNow: () => number,
  signal: AbortSignal,
): Promise<void> {
  const { derivations, refreshes = [], sweeps = [] } = options;
  const shared = { ...options, metrics, db: options.records.db, venueNow, signal };
  await Promise.all([
    deriveDaysRegularly({ ...shared, derivations: options.dayDerivations ?? [] }),
    refreshRegularly({ ...shared, refreshes }),
    sweepRegularly({ ...shared, sweeps, makers: [...derivations, ...refreshes] }),
  ]);
}

async function startStream(
  engine: Engine,
  { connector, state, why }: Planned,
  watch: StreamWatch | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { log, clock, records } = engine;
  if (watch === undefined) return;
  watch.state = state === "on" ? "starting" : state;
  watch.note = why;
  log.info({ stream: connector.name, state, why }, `${connector.title} is ${state}`);
  await saveState(records.db, connector.name, watch.state, new Date(clock.now())).catch((error: unknown) =>
    log.warn({ err: error, stream: connector.name }, "a stream's state could not be written down"),
  );
  if (state !== "on") return;
  while (!signal.aborted) {
    try {
      await runStream(engine, connector, watch, signal);
    } catch (error) {
      watch.state = "failing";
      watch.errors += 1;
      watch.lastError = error instanceof Error ? error.message : String(error);
      watch.lastErrorAt = clock.now();
      log.error({ err: error, stream: connector.name }, "a stream fell over; it is started again");
      await clock.sleep(START_AGAIN_MS, signal).catch(() => undefined);
    }
  }
}

function runStream(engine: Engine, connector: Connector, watch: StreamWatch, signal: AbortSignal): Promise<void> {
  const { records, clock, log, metrics, upstreams, store, deriver, settings, venueNow = clock.now } = engine;
  const feedOf = (host: Connector["host"]): Feed =>
    upstreams.feedOf(host, connector.name, priorityOf(connector), signal);
  const shared = {
    db: records.db,
    write: createWrite({ store, deriver, metrics, announceKnown: false, reread: upstreams.reread }),
    known: createKnown(store, venueNow, engine.known),
    storedFills: createStoredFills(store, records.db),
    storedPosts: createStoredPosts(store),
    venueNow,
    clock,
    log,
    metrics,
    watch,
    signal,
  };
  if (connector.kind === "pull") {
    const also = Object.fromEntries((connector.also ?? []).map((host) => [host.name, feedOf(host)]));
    const spendable = upstreams.spendableOf(connector.host);
    return runPull({ ...shared, connector, feed: feedOf(connector.host), also, spendable });
  }
  return runSocket({
    ...shared,
    connector,
    known: createKnown(store, venueNow, { ...engine.known, markets: SOCKET_MARKETS }),
    baseUrl: upstreams.addressOf(connector.host),
    settings: present(settings),
    budget: upstreams.budgetOf(connector.host),
    feed: connector.resyncHost && feedOf(connector.resyncHost),
    park: upstreams.park,
    raw: upstreams.raw,
    ...(engine.socketsPerStream === undefined ? {} : { pace: { maxSockets: engine.socketsPerStream } }),
  });
}

const priorityOf = (connector: Connector): "live" | "backfill" =>
  connector.kind === "pull" && connector.isPatient ? "backfill" : "live";

function present(settings: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(given);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function within(ms: number, clock: Clock, work: Promise<void>): Promise<void> {
  const rest = new AbortController();
  const late = clock.sleep(ms, rest.signal).then(
    () => {
      throw new Error(`not done within ${ms} ms`);
    },
    () => undefined,
  );
  await Promise.race([work, late]).finally(() => rest.abort());
}
