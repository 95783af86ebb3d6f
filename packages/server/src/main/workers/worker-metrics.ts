import { Counter, Gauge, type Registry } from "prom-client";

export type WorkerMetrics = { readonly running: (workers: number) => void; readonly ended: () => void };

/** How many workers answer, and how often one ended that should not have. */
export function createWorkerMetrics(registry: Registry): WorkerMetrics {
  const registers = [registry];
  const running = new Gauge({
    name: "almanac_api_workers",
    help: "Processes that answer API requests for this one (API_WORKERS); 0 where it answers them itself.",
    registers,
  });
  const ended = new Counter({
    name: "almanac_api_workers_ended_total",
    help: "Workers that ended by themselves, and were started again.",
    registers,
  });
  return { running: (workers) => running.set(workers), ended: () => ended.inc() };
}
