import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { FORGET, type Access } from "../access/access.ts";
import type { OpenRedis } from "../access/redis/open-redis.ts";
import { connectors, datasets, tables } from "../catalogue.ts";
import type { Config } from "../config.ts";
import { systemClock, type Clock } from "../ingest/clock.ts";
import type { Engines } from "./open-engines.ts";
import type { Indexes } from "./open-indexes.ts";
import { openConsole, type Console } from "../access/console.ts";
import { redisLimiter } from "../access/redis/redis-limits.ts";
import { sql } from "../definition/sql.ts";
import { createServer } from "../http/create-server.ts";
import { createHttpMetrics } from "../http/http-metrics.ts";
import { readPages } from "../http/pages/create-pages.ts";
import { createPartMetrics } from "../http/part-metrics.ts";
import type { Readiness } from "../http/server-options.ts";
import { createCacheMetrics } from "../query/query-cache.ts";
import { findLastBackup } from "./backup/choose-backup.ts";
import { openAsk } from "./open-ask.ts";
import { operatorData } from "./operator-data.ts";
import { atPort, reservePort } from "./reserve-port.ts";
import { openWorkerPool } from "./workers/worker-pool.ts";

type Behind = {
  readonly engines: Engines;
  readonly access: Access;
  readonly indexes: Indexes;
  readonly redis: OpenRedis | undefined;
  readonly metrics: Registry;
  readonly log: Logger;
  readonly logTo: 1 | 2;
  readonly clock: Clock;
  readonly venueNow: () => number;
};

export type Front = {
  readonly baseUrl: string;
  /** Accepts no more requests, and finishes those in flight. */
  readonly close: () => Promise<void>;
};

const DASHBOARD = fileURLToPath(new URL("../../../dashboard/dist/", import.meta.url));

/** Opens the HTTP server and pages of this process, and the worker processes that answer for it, and listens. */
export async function openFront(given: Config, behind: Behind): Promise<Front> {
  const reserved = given.port === 0 ? await reservePort(given.host) : undefined;
  const config = reserved === undefined ? given : atPort(given, reserved.port);
  const { engines, access, indexes, redis, metrics, log, logTo, clock, venueNow } = behind;
  const { store, records } = engines;
  const count = createCacheMetrics(metrics);
  const ask = openAsk(config, { store, db: records.db, clock, venueNow, indexes, count });
  const lastBackup = () => findLastBackup(records);
  createPartMetrics(metrics, { ...looksAt(engines), lastBackup, folder: config.dataDir });
  const http = createHttpMetrics(metrics);
  const venueAheadMs = (): number => venueNow() - clock.now();
  const counted = { access, http, count, metrics };
  const workers = openWorkerPool(config, { engines, indexes, ...counted, log, logTo, venueAheadMs });
  const forget = (): void => {
    access.forget();
    workers.forget();
  };
  redis?.listen(FORGET, (what) => what === "published" && workers.forget());
  const server = createServer({
    ask,
    access: { ...access, forget },
    catalogue: datasets,
    readiness: () => readinessOf(engines),
    metrics: http,
    log,
    publicUrl: config.publicUrl,
    paramsUnknown: config.paramsUnknown,
    clock: Date.now,
    monotonicMs: systemClock.monotonicMs,
    console: consoleOf(config, engines, redis),
    operator: operatorData({ connectors, tables, store, records, now: Date.now, venueNow }),
    trustedProxies: config.trustedProxies,
    forwardingSecret: workers.forwardTo?.secret,
    pages: readPages(DASHBOARD),
  });
  const close = async (): Promise<void> => {
    await workers.close();
    await server.close();
  };
  try {
    await reserved?.release();
    return { baseUrl: await workers.listen(server), close };
  } catch (error) {
    await server.close();
    throw error;
  }
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

async function readinessOf(engines: Engines): Promise<Readiness> {
  const reasons: string[] = [];
  const { engine, records } = looksAt(engines);
  await engine().catch(() => reasons.push(engines.store.trouble() ?? "the column engine does not answer"));
  await records().catch(() => reasons.push("the control records do not answer"));
  // Requests are answered while each shard has a replica.
  const trouble = engines.store.cluster && engines.store.trouble();
  const isReported = trouble === undefined || reasons.includes(trouble);
  return { ready: reasons.length === 0, reasons: isReported ? reasons : [...reasons, trouble] };
}

function looksAt({ store, records }: Engines) {
  return {
    engine: () => store.read(sql`SELECT 1`, { lane: "readiness" }),
    records: () => records.db.selectFrom("plans").select("name").limit(1).execute(),
  };
}
