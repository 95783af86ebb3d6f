import type { Kysely } from "kysely";
import type { Connector } from "../../definition/connector.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import { behindMs } from "../coverage/judge-stream.ts";
import { isSelective } from "../coverage/feeding.ts";
import { countGaps, type OpenGaps, countParked } from "../control/count-parked.ts";
import { findRetention, type RetentionRow } from "../control/retention-record.ts";
import type { StreamRow } from "../control/save-batch.ts";
import { findLeader, type Leader } from "../leader/leader-record.ts";
import { type LiveStatus, type LiveStream, readLive, type LiveParts } from "./live-status.ts";
import { dropLive, findLive, saveLive } from "../control/live-record.ts";
import type { DeriverOptions } from "../derive.ts";
import type { IngestMetrics } from "../ingest-metrics.ts";

const EVERY_MS = 5000;

type Options = LiveParts & Pick<DeriverOptions, "db" | "log" | "metrics">;

/** The status as last saved by the ingesting process, wherever it runs. */
export async function findStatus(parts: Omit<StatusParts, "live">): Promise<IngestStatus> {
  return readStatus({ ...parts, live: await findLive(parts.db, new Date(parts.now)) });
}

/** Sets the gauges and saves the status for other processes every few seconds, until aborted. */
export async function reportStatus(options: Options, signal: AbortSignal): Promise<void> {
  const { planned, db, clock, venueNow, log, metrics } = options;
  const connectors = planned.map(({ connector }) => connector);
  while (!signal.aborted) {
    try {
      const live = readLive(options);
      setGauges(metrics, await readStatus({ connectors, db, live, now: clock.now(), venueNow: venueNow() }));
      await saveLive(db, live, new Date(clock.now()));
    } catch (error) {
      log.warn({ err: error }, "the status could not be recorded");
    }
    await clock.sleep(EVERY_MS, signal).catch(() => undefined);
  }
  await dropLive(db).catch((error: unknown) => log.warn({ err: error }, "the status could not be removed"));
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
    for (const [route, { tokens, factor }] of Object.entries(routes)) {
      metrics.tokens.set({ host, route }, tokens);
      metrics.speed.set({ host, route }, factor);
    }
  }
}

export type StreamStatus = Omit<LiveStream, "state" | "rowsPerSecond" | "errors"> & {
  /** The stream's state; "not running" if no process ingests. */
  readonly state: LiveStream["state"] | "not running" | "not started";
  /** Null if no process ingests. */
  readonly rowsPerSecond: number | null;
  readonly errors: number | null;
  /** Over all runs. */
  readonly rowsStored: number;
  readonly gaps: OpenGaps;
  /** Parked pages waiting for a replay. */
  readonly parked: number;
};

export type IngestStatus = Pick<LiveStatus, "hosts" | "derivations"> & {
  readonly isRunning: boolean;
  readonly streams: readonly StreamStatus[];
  readonly retention: readonly RetentionRow[];
  /** The process that ingests and derives, if several could; null if none does, or only one could. */
  readonly leader: Leader | null;
};

type StatusParts = {
  readonly connectors: readonly Connector[];
  readonly db: Kysely<RecordsSchema>;
  /** Status of the ingesting process; undefined if there is none. */
  readonly live: LiveStatus | undefined;
  /** Unix ms, by the machine's clock and by the venue's. */
  readonly now: number;
  readonly venueNow: number;
};

/** Status of every stream, from the records and the ingesting process. */
export async function readStatus({ connectors, db, live, now, venueNow }: StatusParts): Promise<IngestStatus> {
  const [stored, gapsOf, parked, retention, leader] = await Promise.all([
    db.selectFrom("streams").selectAll().execute(),
    countGaps(db, venueNow),
    countParked(db),
    findRetention(db),
    findLeader(db),
  ]);
  const rows = new Map(stored.map((row) => [row.name, row]));
  const streams = connectors.map((connector): StreamStatus => {
    const row = rows.get(connector.name);
    const running = live?.streams.find(({ name }) => name === connector.name);
    return {
      ...(running ?? fromRecord(connector, row, { now, venueNow })),
      rowsStored: row?.rows_stored ?? 0,
      gaps: gapsOf(connector.name),
      parked: parked.get(connector.name)?.waiting ?? 0,
    };
  });
  return {
    isRunning: live !== undefined,
    streams,
    retention,
    leader: leader ?? null,
    hosts: live?.hosts ?? {},
    derivations: live?.derivations ?? {},
  };
}

type Known = Omit<StreamStatus, "rowsStored" | "gaps" | "parked">;

function fromRecord(connector: Connector, row: StreamRow | undefined, at: { now: number; venueNow: number }): Known {
  const lagMs = row?.reached ? Math.max(0, at.venueNow - row.reached.getTime()) : undefined;
  const isOff = row?.state === "off" || row?.state === "replaced";
  return {
    name: connector.name,
    title: connector.title,
    state: row === undefined ? "not started" : isOff ? (row.state as LiveStream["state"]) : "not running",
    note: null,
    cursor: row?.cursor ?? null,
    reached: row?.reached?.toISOString() ?? null,
    since: row?.since?.toISOString() ?? null,
    lagSeconds: lagMs === undefined ? null : lagMs / 1000,
    isBehind: !isOff && !isSelective(connector) && lagMs !== undefined && lagMs > behindMs(connector),
    rowsPerSecond: null,
    errors: null,
    lastError: row?.last_error ?? null,
    lastErrorAt: row?.last_error_at?.toISOString() ?? null,
  };
}

/** Problems for an operator, one sentence each; empty when every active stream is well. */
export function findTrouble({ isRunning, streams }: IngestStatus): string[] {
  const on = streams.filter(({ state }) => state !== "off" && state !== "replaced" && state !== "not started");
  if (!isRunning && on.length > 0) return ["the service is not running"];
  return on.flatMap(({ name, state, isBehind, lagSeconds, lastError }) => {
    if (state === "failing") return [`${name} is failing${lastError === null ? "" : `: ${lastError}`}`];
    if (state === "not running") return [`${name} is not running`];
    return isBehind ? [`${name} is ${Math.round(lagSeconds ?? 0)} s behind`] : [];
  });
}
