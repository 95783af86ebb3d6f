import type { Host, PullConnector } from "../../definition/connector.ts";
import type { BackfillStreamOptions } from "../backfill-stream.ts";
import { createIngestMetrics, type IngestMetrics } from "../ingest-metrics.ts";
import { grantedHost } from "../budget.ts";
import { createKnown } from "../known.ts";
import { openUpstreams } from "../upstreams.ts";
import { planBackfill, type BackfillPlan } from "./plan-backfill.ts";

/** Plans the backfills of several streams, one after the other, alongside a running service (see `planBackfill`). */
/** Share of every limit to use: the service may be calling the same hosts. */
const BESIDE = 0.25;

export async function planBackfills(
  options: Omit<BackfillStreamOptions, "connector" | "derivations" | "folds" | "sure" | "venueNow" | "onProgress"> & {
    readonly connectors: readonly PullConnector[];
    readonly onSample?: (stream: string, done: number, of: number) => void;
  },
): Promise<readonly BackfillPlan[]> {
  const { store, clock, signal, range, onSample } = options;
  const metrics = createIngestMetrics(options.metrics);
  const upstreams = openUpstreams({ ...options, db: options.records.db, metrics, part: BESIDE });
  const plans: BackfillPlan[] = [];
  try {
    for (const connector of options.connectors.map((one) => withGranted(one, options.settings))) {
      const feedOf = (host: Host) => upstreams.feedOf(host, connector.name, "backfill", signal);
      const plan = await planBackfill({
        connector,
        range,
        latencyOf: (host) => meanSeconds(metrics, host),
        pull: {
          feed: feedOf(connector.host),
          also: Object.fromEntries((connector.also ?? []).map((host) => [host.name, feedOf(host)])),
          known: createKnown(store, clock.now),
          now: clock.now,
          signal,
        },
        ...(onSample && { onSample: (done: number, of: number) => onSample(connector.name, done, of) }),
      });
      plans.push(plan);
    }
    return plans;
  } finally {
    await upstreams.close();
  }
}

function withGranted(connector: PullConnector, settings: Parameters<typeof grantedHost>[1]): PullConnector {
  const also = connector.also?.map((host) => grantedHost(host, settings));
  return { ...connector, host: grantedHost(connector.host, settings), ...(also && { also }) };
}

async function meanSeconds(metrics: IngestMetrics, host: string): Promise<number> {
  const { values } = await metrics.callSeconds.get();
  const total = (ending: string): number =>
    values
      .filter(({ metricName, labels }) => metricName?.endsWith(ending) && labels.host === host)
      .reduce((sum, { value }) => sum + value, 0);
  const calls = total("_count");
  return calls === 0 ? 0 : total("_sum") / calls;
}
