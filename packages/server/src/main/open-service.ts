import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { Registry, collectDefaultMetrics } from "prom-client";
import { openAccess } from "../access/access.ts";
import { openConsole, type Console } from "../access/console.ts";
import { openRedis, type OpenRedis } from "../access/redis/open-redis.ts";
import { redisLimiter } from "../access/redis/redis-limiter.ts";
import { createRedisMetrics } from "../access/redis/redis-metrics.ts";
import { connectors, datasets, dayDerivations, derivations, folds, refreshes, tables } from "../catalogue.ts";
import type { Config } from "../config.ts";
import { sourcesOf } from "../definition/derivation.ts";
import { foldMakers } from "../definition/fold.ts";
import type { Maker } from "../definition/maker.ts";
import { sql } from "../definition/sql.ts";
import { titleConcepts } from "../derivations/social/title-concepts.ts";
import { socialSweeps } from "../derivations/social-retention/social-sweeps.ts";
import { createMetricsServer } from "../http/create-metrics-server.ts";
import { createServer } from "../http/create-server.ts";
import { readPages } from "../http/pages/read-pages.ts";
import { createPartMetrics } from "../http/part-metrics.ts";
import type { Readiness } from "../http/server-options.ts";
import { systemClock, type Clock } from "../ingest/clock.ts";
import { createCoverage } from "../ingest/coverage/coverage.ts";
import { createHeld } from "../ingest/coverage/held-spans.ts";
import { startIngest, type Ingest, type IngestOptions } from "../ingest/schedule.ts";
import type { Ask } from "../query/answer.ts";
import { createCacheMetrics } from "../query/cache-metrics.ts";
import { openQuery } from "../query/open-query.ts";
import { leadershipOf } from "./as-leader.ts";
import { findLastBackup } from "./backup/find-last-backup.ts";
import { openEngines, type Engines } from "./open-engines.ts";
import { hearOthers } from "./hear-others.ts";
import { isAlone, openIndexes, type Indexes } from "./open-indexes.ts";
import { operatorData } from "./operator-data.ts";
import { rawPayloads } from "../tables/raw-payloads.ts";
import { readSecret } from "./read-secret.ts";
import { shareChanges } from "./share-changes.ts";

export type Service = {
  readonly baseUrl: string;
  readonly ingest: Ingest | undefined;
  readonly engines: Engines;
  /** Resolves when the column engine ended by itself and could not be started again: the process should stop. */
  readonly engineEnded: Promise<void>;
  /** Stops taking requests, finishes those in flight, stores what came, saves cursors. */
  readonly close: () => Promise<void>;
};

/** What a service is built on, where it is not the machine's: tests hand over a clock of theirs and watched engines. */
export type ServiceParts = {
  readonly clock?: Clock;
  readonly open?: typeof openEngines;
  /** Now by the venues' clock (Unix ms), where paper exchanges run faster than time; `clock` when absent. */
  readonly venueNow?: () => number;
  /** Which derivations, folds and refreshes run, by name: a test leaves out what it does not look at. All when absent. */
  readonly worksOut?: (name: string) => boolean;
};

const DASHBOARD = fileURLToPath(new URL("../../../dashboard/dist/", import.meta.url));

/** Builds the whole service from its settings and listens. */
export async function openService(
  config: Config,
  log: Logger,
  { clock = systemClock, open = openEngines, venueNow = clock.now, worksOut = () => true }: ServiceParts = {},
): Promise<Service> {
  const engines = await open(config, log, { isWriter: config.role !== "api" });
  const stopping = new AbortController();
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const redis = await openSharing(config, log, metrics);
  try {
    const { store, records } = engines;
    if (redis) shareChanges(store, redis, tables);
    const access = openAccess({ records, clock: Date.now, log, redis });
    const indexes = await indexesOf(config, engines, { log, metrics, signal: stopping.signal });
    const ingest = gather(config, engines, worksOut, { log, metrics, clock, venueNow, signal: stopping.signal });
    const ask = askOver(config, engines, { clock, venueNow, metrics, indexes });
    const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
    const lastBackup = () => findLastBackup(records);
    createPartMetrics(metrics, { ...looksAt(engines), lastBackup, folder: config.dataDir });
    const server = createServer({
      ask,
      access,
      catalogue: datasets,
      readiness: () => readinessOf(engines),
      metrics,
      log,
      publicUrl,
      paramsUnknown: config.paramsUnknown,
      clock: Date.now,
      console: consoleOf(config, engines, redis),
      operator: operatorData({ connectors, tables, store, records, now: Date.now, venueNow }),
      trustedProxies: config.trustedProxies,
      pages: readPages(DASHBOARD),
    });
    const baseUrl = await listen(server, config.host, config.port);
    const metricsServer = await listenForMetrics(config, metrics);
    return {
      baseUrl,
      ingest,
      engines,
      engineEnded: store.ended,
      close: async () => {
        await server.close();
        stopping.abort(new Error("the service stops"));
        await ingest?.stop();
        await indexes.close();
        await metricsServer?.close();
        await access.close();
        await redis?.close();
        await engines.close();
      },
    };
  } catch (error) {
    stopping.abort(error);
    await redis?.close();
    await engines.close();
    throw error;
  }
}

async function listenForMetrics(config: Config, metrics: Registry): Promise<FastifyInstance | undefined> {
  if (config.metricsPort === undefined) return undefined;
  const server = createMetricsServer(metrics);
  await listen(server, config.host, config.metricsPort);
  return server;
}

async function indexesOf(
  config: Config,
  { store, records }: Engines,
  { log, metrics, signal }: Pick<IngestOptions, "log" | "metrics" | "signal">,
): Promise<Indexes> {
  const hearing = await hearOthers(config, records, { log, signal });
  return openIndexes(config, { store, hearing, log, metrics });
}

function askOver(
  config: Config,
  { store, records: { db } }: Engines,
  {
    clock,
    venueNow,
    metrics,
    indexes,
  }: Required<Pick<ServiceParts, "clock" | "venueNow">> & {
    readonly metrics: Registry;
    readonly indexes: Indexes;
  },
): Ask {
  return openQuery({
    store,
    served: indexes.sources,
    servedTokens: indexes.tokenSources,
    listed: indexes.lists,
    vocabularies: indexes.vocabularies,
    countServed: indexes.count,
    compared: indexes.compared,
    catalogue: datasets,
    coverageOf: createCoverage({ connectors, derivations, makers, db, clock, venueNow }),
    heldOf: createHeld({ connectors, makers: allMakers, db, clock, venueNow }),
    secret: readSecret(config),
    paramsUnknown: config.paramsUnknown,
    isAlone: isAlone(config),
    hearsOthers: !isAlone(config),
    hasCold: config.cooling !== undefined,
    now: Date.now,
    count: createCacheMetrics(metrics),
  });
}

async function openSharing({ redisUrl }: Config, log: Logger, registry: Registry): Promise<OpenRedis | undefined> {
  const metrics = createRedisMetrics(registry);
  return redisUrl === undefined ? undefined : await openRedis(redisUrl, { log, metrics });
}

const MINUTE_MS = 60_000;

function consoleOf(config: Config, { records }: Engines, redis: OpenRedis | undefined): Console {
  return openConsole({
    records,
    clock: Date.now,
    bounds: { idleMs: config.sessionIdleMinutes * MINUTE_MS, maxMs: config.sessionMaxHours * 60 * MINUTE_MS },
    throttle: {
      perAddress: config.signInTriesPerAddress,
      perEmail: config.signInTries,
      seconds: config.signInMinutes * 60,
    },
    limiter: redis && redisLimiter(redis),
  });
}

const namesIn = (title: string): readonly string[] => titleConcepts(title).names;

/** What works tables out besides the derivations by bucket of time. */
const makers: readonly Maker[] = [
  ...refreshes,
  ...folds.flatMap(foldMakers),
  ...dayDerivations.map((derivation) => ({ ...derivation, everySeconds: 3600 })),
];

const allMakers: readonly Maker[] = [
  ...makers,
  ...derivations.map((one) => ({ ...one, from: sourcesOf(one), everySeconds: 0 })),
];

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

async function readinessOf(engines: Engines): Promise<Readiness> {
  const reasons: string[] = [];
  const { engine, records } = looksAt(engines);
  await engine().catch(() => reasons.push(engines.store.trouble() ?? "the column engine does not answer"));
  await records().catch(() => reasons.push("the control records do not answer"));
  // Requests are answered while a replica of each shard is there.
  const trouble = engines.store.cluster && engines.store.trouble();
  const isTold = trouble === undefined || reasons.includes(trouble);
  return { ready: reasons.length === 0, reasons: isTold ? reasons : [...reasons, trouble] };
}

function looksAt({ store, records }: Engines) {
  return {
    engine: () => store.read(sql`SELECT 1`),
    records: () => records.db.selectFrom("plans").select("name").limit(1).execute(),
  };
}

function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  return server.listen({ host, port });
}
