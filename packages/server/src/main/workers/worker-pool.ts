import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { CompiledQuery } from "kysely";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Access } from "../../access/access.ts";
import type { Config } from "../../config.ts";
import type { HttpMetrics } from "../../http/http-metrics.ts";
import type { ForwardTarget } from "../../http/forward-request.ts";
import type { CacheOutcome } from "../../query/query-cache.ts";
import type { Engines } from "../open-engines.ts";
import type { Indexes } from "../open-indexes.ts";
import type { WorkerRequest, Report, Reply } from "./protocol.ts";
import { startWorkers, type Workers } from "./start-workers.ts";
import { publishStatus, type StatusPublisher, createWorkerMetrics } from "./publish-status.ts";

type Owned = {
  readonly engines: Pick<Engines, "store" | "records">;
  readonly indexes: Indexes;
  readonly access: Access;
  readonly http: HttpMetrics;
  readonly count: (outcome: CacheOutcome) => void;
  readonly metrics: Registry;
  readonly log: Logger;
  readonly logTo: 1 | 2;
  readonly venueAheadMs: () => number;
};

export type WorkerPool = {
  /** Target to which workers forward other requests; undefined without workers. */
  readonly forwardTo: ForwardTarget | undefined;
  /** Makes the server listen on the configured port, directly or behind workers. */
  readonly listen: (server: FastifyInstance) => Promise<string>;
  /** Makes the workers drop the keys they know: a key, account or plan was changed. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
};

/** Opens the processes that answer the endpoint for this one, as many as configured; none if that is one. */
export function openWorkerPool(config: Config, owned: Owned): WorkerPool {
  const { engines, indexes, access, http, log, logTo } = owned;
  const metrics = createWorkerMetrics(owned.metrics);
  const { host, port, apiWorkers: count } = config;
  removeListsAbove(count, join(config.dataDir, "workers"));
  if (count === 1) {
    const listen = (server: FastifyInstance): Promise<string> => server.listen({ host, port });
    return { forwardTo: undefined, listen, forget: () => undefined, close: () => Promise.resolve() };
  }
  // An abstract socket: a file would be left behind by a killed process.
  const socketPath = `\0almanac-${process.pid}-${randomBytes(8).toString("hex")}`;
  const forwardTo: ForwardTarget = { socketPath, secret: randomBytes(24).toString("base64url") };
  let workers: Workers | undefined;
  let publisher: StatusPublisher | undefined;
  const close = async (): Promise<void> => {
    publisher?.stop();
    await workers?.close();
  };
  http.watch(() => workers?.inFlight() ?? 0);
  return {
    forwardTo,
    listen: async (server) => {
      await server.listen({ path: socketPath });
      const { store } = engines;
      const published = publishStatus({ config, store, indexes, venueAheadMs: owned.venueAheadMs }, (next) =>
        workers?.broadcast({ kind: "status", status: next }),
      );
      publisher = published;
      workers = startWorkers({
        count,
        logTo,
        opening: (number) => ({ config, number, forwardTo, status: published.now() }),
        answer: (request) => answer(engines, access, request),
        reported: (report) => addReport(owned, report),
        metrics,
        log,
      });
      return await workers.listening.catch(async (error: unknown) => {
        await close();
        throw error;
      });
    },
    forget: () => workers?.broadcast({ kind: "forget" }),
    close,
  };
}

/** Removes lists of workers that no longer exist because fewer are configured. */
function removeListsAbove(count: number, folder: string): void {
  const most = count === 1 ? 0 : count;
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (Number(name) > most) rmSync(join(folder, name), { recursive: true });
}

async function answer({ records }: Owned["engines"], access: Access, request: WorkerRequest): Promise<Reply> {
  if (request.of === "take") return access.take(request.claimant, request.units, request.held);
  if (request.of === "peek") return access.peek(request.claimant);
  const { rows } = await records.db.executeQuery(CompiledQuery.raw(request.text, [...request.parameters]));
  return rows as readonly Record<string, unknown>[];
}

/** Adds a worker's counts as if its requests had been answered here. */
function addReport({ access, http, count, indexes }: Owned, report: Report): void {
  for (const usage of report.usage) access.count(usage);
  for (const { dataset, status, seconds, bytes } of report.requests) http.answered(dataset, status, seconds, bytes);
  for (const outcome of report.answers) count(outcome);
  for (const by of report.pages) indexes.count(by);
  for (const found of report.compared) indexes.compared(...found);
  for (const why of report.closed) http.connectionClosed(why);
  for (const _ of report.held) http.refusalHeld();
  for (const { table, damage } of report.unread) indexes.renew(table, damage);
}
