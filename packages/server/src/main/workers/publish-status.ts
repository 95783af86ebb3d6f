import { tables } from "../../catalogue.ts";
import type { Config } from "../../config.ts";
import type { OpenStore } from "../../store/open-store.ts";
import type { Indexes } from "../open-indexes.ts";
import type { OwnerStatus } from "./protocol.ts";
import { Counter, Gauge, type Registry } from "prom-client";

/** Changes are published at once; unchanged status, and changes by the store's own statements, at this interval. */
const EVERY_MS = 100;

type Observed = {
  readonly config: Pick<Config, "clickhouseUrl">;
  readonly store: Pick<OpenStore, "address" | "stampOf" | "newestStamp" | "onChanged">;
  readonly indexes: Pick<Indexes, "status">;
  readonly venueAheadMs: () => number;
};

export type StatusPublisher = {
  /** The current status, for a starting worker. */
  readonly now: () => OwnerStatus;
  readonly stop: () => void;
};

/** Publishes the state of tables and indexes from now on. */
export function publishStatus(observed: Observed, publish: (status: OwnerStatus) => void): StatusPublisher {
  const { config, store, indexes, venueAheadMs } = observed;
  const stamps = new Map(tables.map((table) => [table, store.stampOf([table])]));
  const unknown = new Set<string>();
  let [isQueued, isStopped] = [false, false];
  // Take the time first: an index found complete afterwards has everything up to it.
  const look = (changed: OwnerStatus["changed"]): OwnerStatus => ({
    at: Math.max(Date.now(), store.newestStamp() / 1000),
    venueAheadMs: venueAheadMs(),
    address: config.clickhouseUrl === undefined ? store.address : undefined,
    changed,
    indexes: indexes.status(),
  });
  const publishNow = (): void => {
    isQueued = false;
    if (isStopped) return;
    const changed = tables
      .filter((table) => store.stampOf([table]) !== stamps.get(table))
      .map((table) => {
        stamps.set(table, store.stampOf([table]));
        return { table: table.name, isUnknown: unknown.has(table.name) };
      });
    unknown.clear();
    publish(look(changed));
  };
  store.onChanged(({ name }, left) => {
    if (left === "unknown") unknown.add(name);
    if (!isQueued) queueMicrotask(publishNow);
    isQueued = true;
  });
  const timer = setInterval(publishNow, EVERY_MS).unref();
  return {
    now: () => look([]),
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

export type WorkerMetrics = { readonly running: (workers: number) => void; readonly ended: () => void };

/** Number of running workers, and how often one ended unexpectedly. */
export function createWorkerMetrics(registry: Registry): WorkerMetrics {
  const registers = [registry];
  const running = new Gauge({
    name: "almanac_api_workers",
    help: "Worker processes that answer API requests (API_WORKERS); 0 if this process answers them itself.",
    registers,
  });
  const ended = new Counter({
    name: "almanac_api_workers_ended_total",
    help: "Workers that exited unexpectedly and were restarted.",
    registers,
  });
  return { running: (workers) => running.set(workers), ended: () => ended.inc() };
}
