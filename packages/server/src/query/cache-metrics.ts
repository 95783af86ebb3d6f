import { Counter, type Registry } from "prom-client";

/** Outcome of a cache lookup: the answer was cached, a query in flight was joined, or the engine was queried. */
export type CacheOutcome = "kept" | "joined" | "asked";

/** Counts queries by how they were answered. */
export function createCacheMetrics(registry: Registry): (outcome: CacheOutcome) => void {
  const questions = new Counter({
    name: "almanac_query_answers_total",
    help: "Pages answered: kept since they were asked before, joined to the same question in flight, or asked of the engine.",
    labelNames: ["outcome"] as const,
    registers: [registry],
  });
  return (outcome) => questions.inc({ outcome });
}
