import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { Registry, collectDefaultMetrics } from "prom-client";
import { openAccess } from "../access/access.ts";
import { type OpenRedis, createRedisMetrics } from "../access/redis/open-redis.ts";
import { connectors, dayDerivations, derivations, folds, refreshes, tables } from "../catalogue.ts";
import type { Config } from "../config.ts";
import { titleConcepts } from "../derivations/social/title-concepts.ts";
import { socialSweeps } from "../derivations/social-retention/social-sweeps.ts";
import { createMetricsServer } from "../http/create-server.ts";
import { systemClock, type Clock } from "../ingest/clock.ts";
import { startIngest, type Ingest, type IngestOptions } from "../ingest/schedule.ts";
import { leadershipOf } from "./as-leader.ts";
import { openEngines, type Engines } from "./open-engines.ts";
import { openFront } from "./open-front.ts";
import { followLeader, shareChanges } from "./shared-changes.ts";
import { openIndexes, type Indexes } from "./open-indexes.ts";
import { rawPayloads } from "../tables/raw-payloads.ts";

export type Service = {
  readonly baseUrl: string;
  readonly ingest: Ingest | undefined;
  readonly engines: Engines;
  /** Resolves when the column engine ended unexpectedly and could not be restarted: the process should stop. */
  readonly engineEnded: Promise<void>;
  /** Stops accepting requests, finishes those in flight, stores received data, saves cursors. */
  readonly close: () => Promise<void>;
};

/** Replaceable dependencies of a service: tests pass their own clock and instrumented engines. */
export type ServiceParts = {
  readonly clock?: Clock;
  readonly open?: typeof openEngines;
  /** Now by the venues' clock (Unix ms), for paper exchanges that run faster than real time; `clock` if absent. */
  readonly venueNow?: () => number;
  /**
   * Selects the derivations, folds and refreshes to run, by name: a test skips those it does not check. All if absent.
   */
  readonly worksOut?: (name: string) => boolean;
  /** The file descriptor for the workers' log; standard output if absent. */
  readonly logTo?: 1 | 2;
};

/** Builds the complete service from its settings and listens. */
export async function openService(
  config: Config,
  log: Logger,
  {
    clock = systemClock,
    open = openEngines,
    venueNow = clock.now,
    worksOut = () => true,
    logTo = 1,
  }: ServiceParts = {},
): Promise<Service> {
  const engines = await open(config, log, { isWriter: config.role !== "api" });
  const stopping = new AbortController();
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  // Closes in reverse what was opened: all of it, or what there was when opening failed.
  const opened: (() => unknown)[] = [engines.close];
  const close = async (): Promise<void> => {
    for (const end of opened.splice(0).toReversed()) await end();
  };
  try {
    const { store, records } = engines;
    const redis = await openSharing(config, log, metrics);
    if (redis) {
      opened.push(redis.close);
      shareChanges(store, redis, tables);
    }
    const access = openAccess({ records, clock: Date.now, monotonicMs: systemClock.monotonicMs, log, redis });
    opened.push(access.close);
    const metricsServer = await listenForMetrics(config, metrics);
    opened.push(() => metricsServer?.close());
    const indexes = await indexesOf(config, engines, { log, metrics, signal: stopping.signal });
    opened.push(indexes.close);
    const ingest = gather(config, engines, worksOut, { log, metrics, clock, venueNow, signal: stopping.signal });
    opened.push(() => ingest?.stop());
    opened.push(() => stopping.abort(new Error("the service stops")));
    const venue = { clock, venueNow };
    const front = await openFront(config, { engines, access, indexes, redis, metrics, log, logTo, ...venue });
    opened.push(front.close);
    return { baseUrl: front.baseUrl, ingest, engines, engineEnded: store.ended, close };
  } catch (error) {
    stopping.abort(error);
    await close();
    throw error;
  }
}

async function listenForMetrics(config: Config, metrics: Registry): Promise<FastifyInstance | undefined> {
  if (config.metricsPort === undefined) return undefined;
  const server = createMetricsServer(metrics);
  await server.listen({ host: config.host, port: config.metricsPort });
  return server;
}

async function indexesOf(
  config: Config,
  { store, records }: Engines,
  { log, metrics, signal }: Pick<IngestOptions, "log" | "metrics" | "signal">,
): Promise<Indexes> {
  const changeFeed = await followLeader(config, records, { log, signal });
  return openIndexes(config, { store, changeFeed, log, metrics });
}

async function openSharing({ redisUrl }: Config, log: Logger, registry: Registry): Promise<OpenRedis | undefined> {
  const metrics = createRedisMetrics(registry);
  if (redisUrl === undefined) return undefined;
  // Loaded on demand: most services have no Redis.
  const { openRedis } = await import("../access/redis/open-redis.ts");
  return await openRedis(redisUrl, { log, metrics });
}

const namesIn = (title: string): readonly string[] => titleConcepts(title).names;

function gather(
  config: Config,
  { store, records, checkpoints }: Engines,
  worksOut: (name: string) => boolean,
  given: Pick<IngestOptions, "log" | "metrics" | "clock" | "venueNow" | "signal">,
): Ingest | undefined {
  if (config.role === "api") return undefined;
  const wanted = <One extends { readonly name: string }>(all: readonly One[]) =>
    all.filter(({ name }) => worksOut(name));
  return startIngest({
    connectors,
    streamsOff: config.streamsOff,
    derivations: wanted(derivations),
    folds: wanted(folds),
    dayDerivations: wanted(dayDerivations),
    refreshes: wanted(refreshes),
    sweeps: socialSweeps({ days: config.socialRetentionDays, unmatchedHours: config.socialUnmatchedHours }),
    store,
    records,
    checkpoints,
    settings: config.upstream,
    parkedBytes: config.parkedBytes,
    rawPayloads: { table: rawPayloads, hours: config.rawPayloadHours },
    socketsPerStream: config.socketsPerStream,
    known: { incomeWallets: config.incomeWallets, incomeHours: config.incomeHours, namesIn },
    ...given,
    onDerived: store.changed,
    leadership: leadershipOf(config, { store, records }, given),
  });
}
