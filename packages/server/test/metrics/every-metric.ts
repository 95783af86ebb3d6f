import { Registry } from "prom-client";
import { createRedisMetrics } from "../../src/access/redis/open-redis.ts";
import { createWorkerMetrics } from "../../src/main/workers/publish-status.ts";
import { createHttpMetrics } from "../../src/http/http-metrics.ts";
import { createPartMetrics } from "../../src/http/part-metrics.ts";
import { createIngestMetrics } from "../../src/ingest/ingest-metrics.ts";
import { createCacheMetrics } from "../../src/query/query-cache.ts";
import { countDamage, createServingMetrics } from "../../src/serving/feed/serving-metrics.ts";

type Described = {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames: readonly string[];
};

const nothing = async (): Promise<undefined> => undefined;

/** Every metric of the service, as it registers them, sorted by name. */
export function everyMetric(): readonly Described[] {
  const registry = new Registry();
  createHttpMetrics(registry);
  createWorkerMetrics(registry);
  createIngestMetrics(registry);
  createRedisMetrics(registry);
  createCacheMetrics(registry);
  createServingMetrics(registry, new Map());
  countDamage(registry);
  const looks = { engine: nothing, records: nothing, lastBackup: nothing };
  createPartMetrics(registry, { ...looks, folder: import.meta.dirname });
  const metrics = registry.getMetricsAsArray() as unknown as Described[];
  return metrics.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
