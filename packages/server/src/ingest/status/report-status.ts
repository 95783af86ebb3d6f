import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { RecordsSchema } from "../../records/schema.ts";
import { dropLive, findLive, saveLive } from "../control/live-record.ts";
import type { IngestMetrics } from "../ingest-metrics.ts";
import { readLive, type LiveParts } from "./live-status.ts";
import { readStatus, type IngestStatus, type StatusParts } from "./read-status.ts";

const EVERY_MS = 5000;

type Options = LiveParts & {
  readonly db: Kysely<RecordsSchema>;
  readonly log: Logger;
  readonly metrics: IngestMetrics;
};

/** As the process that gathers wrote it down last, wherever it is. */
export async function findStatus(parts: Omit<StatusParts, "live">): Promise<IngestStatus> {
  return readStatus({ ...parts, live: await findLive(parts.db, new Date(parts.now)) });
}

/** Until aborted, sets the gauges and writes down every few seconds what other processes show. */
export async function reportStatus(options: Options, signal: AbortSignal): Promise<void> {
  const { planned, db, clock, venueNow, log, metrics } = options;
  const connectors = planned.map(({ connector }) => connector);
  while (!signal.aborted) {
    try {
      const live = readLive(options);
      setGauges(metrics, await readStatus({ connectors, db, live, now: clock.now(), venueNow: venueNow() }));
      await saveLive(db, live, new Date(clock.now()));
    } catch (error) {
      log.warn({ err: error }, "the status could not be written down");
    }
    await clock.sleep(EVERY_MS, signal).catch(() => undefined);
  }
  await dropLive(db).catch((error: unknown) => log.warn({ err: error }, "the status could not be taken back"));
}

function setGauges(metrics: IngestMetrics, { streams, hosts }: IngestStatus): void {
  for (const { name: stream, state, lagSeconds, isBehind, gaps, parked } of streams) {
    if (lagSeconds !== null) metrics.lag.set({ stream }, lagSeconds);
    metrics.behind.set({ stream }, isBehind ? 1 : 0);
    metrics.failing.set({ stream }, state === "failing" ? 1 : 0);
    metrics.openGaps.set({ stream, kind: "fillable" }, gaps.fillable);
    metrics.openGaps.set({ stream, kind: "unfillable" }, gaps.unfillable);
    metrics.gapSeconds.set({ stream, kind: "fillable" }, gaps.fillableSeconds);
    metrics.gapSeconds.set({ stream, kind: "unfillable" }, gaps.unfillableSeconds);
    metrics.parked.set({ stream }, parked);
  }
  for (const [host, { waiting, routes }] of Object.entries(hosts)) {
    metrics.waiting.set({ host }, waiting);
    for (const [route, { tokens }] of Object.entries(routes)) metrics.tokens.set({ host, route }, tokens);
  }
}
