import { Counter, type Registry } from "prom-client";

/** What became of a question: its answer was kept, one in flight was joined, or the engine was asked. */
export type CacheOutcome = "kept" | "joined" | "asked";

/** Counts questions by how they were answered. */
export function createCacheMetrics(registry: Registry): (outcome: CacheOutcome) => void {
  const questions = new Counter({
    name: "almanac_query_answers_total",
    help: "Pages answered: kept since they were asked before, joined to the same question in flight, or asked of the engine.",
    labelNames: ["outcome"] as const,
    registers: [registry],
  });
  return (outcome) => questions.inc({ outcome });
}
