import { Counter, Gauge, type Registry } from "prom-client";
import type { ServedIndex } from "./open-index.ts";

/**
 * How far indexes are behind, by the name of their table, looked at with every scrape; what is given back counts what
 * pages were read from.
 */
export function createServingMetrics(
  registry: Registry,
  indexes: ReadonlyMap<string, Pick<ServedIndex, "behindMs">>,
): (by: "index" | "engine") => void {
  const behind: Gauge<"table"> = new Gauge({
    name: "almanac_serving_behind_seconds",
    help: "How long a serving index has lacked something that is stored; NaN while it is built.",
    labelNames: ["table"] as const,
    registers: [registry],
    collect: () => {
      for (const [table, index] of indexes) behind.set({ table }, (index.behindMs() ?? Number.NaN) / 1000);
    },
  });
  const pages = new Counter({
    name: "almanac_serving_pages_total",
    help: "Pages of datasets that have a serving index, by what they were read from; kept ones are not counted.",
    labelNames: ["by"] as const,
    registers: [registry],
  });
  return (by) => pages.inc({ by });
}
