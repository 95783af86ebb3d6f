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
    calls: counter("upstream_calls_total", "Calls to upstreams by what came of them.", ["host", "route", "outcome"]),
    callSeconds: histogram("upstream_call_seconds", "Time an upstream took to answer.", ["host", "route"]),
    waitSeconds: histogram("upstream_wait_seconds", "Time calls waited for the budget.", ["host", "route"]),
    speed: gauge("upstream_speed", "Share of our rate used after easing (the budget's factor), 0 to 1.", [
      "host",
      "route",
    ]),
    changed: counter("upstream_changed_total", "Answers of a wrong shape, parked.", ["host", "route", "stream"]),
    refused: counter("rows_refused_total", "Rows of a wrong shape, parked with their page.", ["stream"]),
    replayed: counter("pages_replayed_total", "Parked pages read again by what came of them.", ["stream", "outcome"]),
    rawKept: counter("raw_payload_chars_total", "Raw payloads kept: bytes of bodies, characters of frames.", []),
    rawLost: counter("raw_payloads_lost_total", "Raw payloads not kept for want of room or of the store.", []),
    rows: counter("rows_stored_total", "Rows stored, without those known already.", ["stream", "table"]),
    known: counter("rows_known_total", "Rows given again that were stored already.", ["stream", "table"]),
    compared: counter("compared_total", "Rows a check compared by what came of them.", ["stream", "outcome"]),
    errors: counter("stream_errors_total", "Failures of a stream.", ["stream"]),
    lag: gauge("stream_lag_seconds", "Now less the moment up to which a stream is complete.", ["stream"]),
    behind: gauge("stream_behind", "1 while a stream is further behind than its own pace explains.", ["stream"]),
    failing: gauge("stream_failing", "1 while a stream fails turn after turn.", ["stream"]),
    gaps: counter("gaps_total", "Gaps opened.", ["stream"]),
    openGaps: gauge("open_gaps", "Gaps that are not filled; unfillable ones never will be.", ["stream", "kind"]),
    gapSeconds: gauge("gap_seconds", "Time that the gaps not filled cover.", ["stream", "kind"]),
    parked: gauge("parked_pages", "Answers of a wrong shape that wait to be replayed.", ["stream"]),
    tokens: gauge("upstream_tokens", "Tokens in the budget's bucket now.", ["host", "route"]),
    waiting: gauge("upstream_waiting_calls", "Calls that wait for the budget now.", ["host"]),
    frames: counter("socket_frames_total", "Websocket frames by what came of them.", ["stream", "outcome"]),
    reconnects: counter("socket_reconnects_total", "Sockets opened again.", ["stream", "reason"]),
    swept: counter("swept_rows_total", "Rows taken away because they are kept no longer, or had to go.", ["sweep"]),
    leader: gauge("leader", "1 while this process gathers and works out, 0 while it stands by.", []),
    takeovers: counter("leader_takeovers_total", "Times it took over from a leader that let its lease run out.", []),
    derived: counter("derived_buckets_total", "Buckets worked out again.", ["derivation"]),
    audited: counter(
      "audited_keys_total",
      "Keys worked out from nothing, to see whether what was stored is that (different: it is now; recent: so too, but something was stored of the key lately).",
      ["derivation", "outcome"],
    ),
    derivePending: gauge("derive_pending_buckets", "Buckets waiting to be worked out.", ["derivation"]),
  };
}
