import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** The limit that a closed connection exceeded. */
export type ClosedFor = "one_address" | "all";

export type HttpMetrics = {
  /** Counts one answered request. `dataset` is its name, or "none" if it was never determined. */
  readonly answered: (dataset: string, status: number, seconds: number, bytes: number) => void;
  /** Counts a connection closed to keep a bound. */
  readonly connectionClosed: (why: ClosedFor) => void;
  /** Counts a delayed refusal. */
  readonly refusalHeld: () => void;
  /** Includes a server's queries in flight in the gauge. */
  readonly watch: (inFlight: () => number) => void;
};

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Registers the HTTP server's metrics. */
export function createHttpMetrics(registry: Registry): HttpMetrics {
  const watched: (() => number)[] = [];
  const registers = [registry];
  const requests = new Counter({
    name: "almanac_http_requests_total",
    help: "Requests answered by dataset and status.",
    labelNames: ["dataset", "status"] as const,
    registers,
  });
  const duration = new Histogram({
    name: "almanac_http_request_seconds",
    help: "Time from a request's head to the end of its response, without the delay of refusals.",
    labelNames: ["dataset"] as const,
    buckets: SECONDS,
    registers,
  });
  const bytesSent = new Counter({
    name: "almanac_http_response_bytes_total",
    help: "Bytes of response bodies as sent.",
    labelNames: ["dataset"] as const,
    registers,
  });
  const closed = new Counter({
    name: "almanac_http_connections_closed_total",
    help: "Connections closed because one address, or all addresses together, had too many.",
    labelNames: ["why"] as const,
    registers,
  });
  const held = new Counter({
    name: "almanac_http_refusals_held_total",
    help: "Responses of 401 or 429 delayed by a second because their address was refused too often.",
    registers,
  });
  new Gauge({
    name: "almanac_http_asks_in_flight",
    help: "Requests in flight.",
    registers,
    collect() {
      this.set(watched.reduce((sum, inFlight) => sum + inFlight(), 0));
    },
  }).set(0);
  return {
    connectionClosed: (why) => closed.inc({ why }),
    refusalHeld: () => held.inc(),
    watch: (inFlight) => void watched.push(inFlight),
    answered: (dataset, status, seconds, bytes) => {
      requests.inc({ dataset, status: String(status) });
      duration.observe({ dataset }, seconds);
      bytesSent.inc({ dataset }, bytes);
    },
  };
}
