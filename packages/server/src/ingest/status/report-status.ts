import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { RecordsSchema } from "../../records/schema.ts";
import { dropLive, saveLive } from "../control/live-record.ts";
import type { IngestMetrics } from "../ingest-metrics.ts";
import { readLive, type LiveParts } from "./live-status.ts";
import { readStatus, type IngestStatus } from "./read-status.ts";

const EVERY_MS = 5000;

type Options = LiveParts & {
  readonly db: Kysely<RecordsSchema>;
  readonly log: Logger;
  readonly metrics: IngestMetrics;
};

/** Now, in the process itself. */
export function readOwnStatus(options: Omit<Options, "log" | "metrics">): Promise<IngestStatus> {
  const { planned, db, clock, venueNow } = options;
  const connectors = planned.map(({ connector }) => connector);
  return readStatus({ connectors, db, live: [readLive(options)], now: clock.now(), venueNow: venueNow() });
}

/** Until aborted, sets the gauges and writes down every few seconds what `almanac status` shows in another process. */
export async function reportStatus(options: Options, signal: AbortSignal): Promise<void> {
  const { db, clock, log, metrics } = options;
  const process = randomUUID();
  while (!signal.aborted) {
    try {
      setGauges(metrics, await readOwnStatus(options));
      await saveLive(db, process, readLive(options), new Date(clock.now()));
    } catch (error) {
      log.warn({ err: error }, "the status could not be written down");
    }
    await clock.sleep(EVERY_MS, signal).catch(() => undefined);
  }
  await dropLive(db, process, new Date(clock.now())).catch((error: unknown) =>
    log.warn({ err: error }, "the status could not be taken back"),
  );
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
    for (const [route, { tokens, portion }] of Object.entries(routes)) {
      metrics.tokens.set({ host, route }, tokens);
      metrics.portion.set({ host, route }, portion);
    }
  }
}
