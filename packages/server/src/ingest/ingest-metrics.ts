import { Counter, Gauge, Histogram, type Registry } from "prom-client";

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60];

/** Metrics of ingest. One per registry: creating it twice on the same registry throws. */
export type IngestMetrics = ReturnType<typeof createIngestMetrics>;

export function createIngestMetrics(registry: Registry) {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter<L>({ name: `almanac_ingest_${name}`, help, labelNames: [...labelNames], registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge<L>({ name: `almanac_ingest_${name}`, help, labelNames: [...labelNames], registers });
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Histogram<L>({
      name: `almanac_ingest_${name}`,
      help,
      labelNames: [...labelNames],
      buckets: SECONDS,
      registers,
    });
  return {
    calls: counter("upstream_calls_total", "Calls to upstreams by outcome.", ["host", "route", "outcome"]),
    callSeconds: histogram("upstream_call_seconds", "Response time of an upstream.", ["host", "route"]),
    waitSeconds: histogram("upstream_wait_seconds", "Time calls waited for the budget.", ["host", "route"]),
    speed: gauge("upstream_speed", "Share of the configured rate now in use, 0 to 1.", ["host", "route"]),
    changed: counter("upstream_changed_total", "Unexpected responses, parked.", ["host", "route", "stream"]),
    refused: counter("rows_refused_total", "Rows of an unexpected shape, parked with their page.", ["stream"]),
    replayed: counter("pages_replayed_total", "Parked pages replayed, by outcome.", ["stream", "outcome"]),
    rawKept: counter("raw_payload_chars_total", "Bytes of raw bodies and characters of frames kept.", []),
    rawLost: counter("raw_payloads_lost_total", "Raw payloads lost to a full queue or store failure.", []),
    rows: counter("rows_stored_total", "New rows stored.", ["stream", "table"]),
    known: counter("rows_known_total", "Rows received again that were already stored.", ["stream", "table"]),
    compared: counter("compared_total", "Rows compared by a check, by outcome.", ["stream", "outcome"]),
    errors: counter("stream_errors_total", "Failures of a stream.", ["stream"]),
    lag: gauge("stream_lag_seconds", "Seconds since the time up to which a stream is complete.", ["stream"]),
    behind: gauge("stream_behind", "1 while a stream is behind its polling interval.", ["stream"]),
    failing: gauge("stream_failing", "1 while a stream fails repeatedly.", ["stream"]),
    gaps: counter("gaps_total", "Gaps opened.", ["stream"]),
    openGaps: gauge("open_gaps", "Gaps that are not filled; unfillable ones stay.", ["stream", "kind"]),
    gapSeconds: gauge("gap_seconds", "Time covered by gaps that are not filled, in seconds.", ["stream", "kind"]),
    parked: gauge("parked_pages", "Responses of an unexpected shape that wait to be replayed.", ["stream"]),
    tokens: gauge("upstream_tokens", "Tokens now in the budget's bucket.", ["host", "route"]),
    waiting: gauge("upstream_waiting_calls", "Calls now waiting for the budget.", ["host"]),
    frames: counter("socket_frames_total", "Websocket frames by outcome.", ["stream", "outcome"]),
    reconnects: counter("socket_reconnects_total", "Sockets reopened.", ["stream", "reason"]),
    swept: counter("swept_rows_total", "Rows removed by retention or on request.", ["sweep"]),
    leader: gauge("leader", "1 while this process ingests and derives, 0 while it is on standby.", []),
    takeovers: counter("leader_takeovers_total", "Takeovers from a leader whose lease expired.", []),
    derived: counter("derived_buckets_total", "Buckets derived again.", ["derivation"]),
    audited: counter(
      "audited_keys_total",
      "Keys derived from scratch to verify their stored rows (different: now corrected; recent: corrected too, but the key's rows changed recently).",
      ["derivation", "outcome"],
    ),
    derivePending: gauge("derive_pending_buckets", "Buckets waiting to be derived.", ["derivation"]),
  };
}

/** Resets the gauges once this process no longer leads: what they say is the next leader's to export. */
export function dropState(metrics: IngestMetrics): void {
  for (const metric of Object.values(metrics)) if (metric instanceof Gauge) metric.reset();
}
