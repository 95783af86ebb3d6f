import { Counter, type Registry } from "prom-client";

/** Outcome of a cache lookup: the answer was cached, a query in flight was joined, or the engine was queried. */
export type CacheOutcome = "kept" | "joined" | "asked";

/** Counts queries by how they were answered. */
export function createCacheMetrics(registry: Registry): (outcome: CacheOutcome) => void {
  const questions = new Counter({
    name: "almanac_query_answers_total",
    help: "Pages answered: from the cache (kept), joined to an identical query in flight (joined), or queried (asked).",
    labelNames: ["outcome"] as const,
    registers: [registry],
  });
  return (outcome) => questions.inc({ outcome });
}
