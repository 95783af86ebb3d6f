import { Counter, Gauge, type Registry } from "prom-client";
import type { ServedIndex } from "./open-index.ts";

/** Counts the sources of pages, and the results of comparing pages read from both. */
export type ServingMetrics = {
  readonly page: (by: "index" | "engine") => void;
  readonly compared: (outcome: string) => void;
};

/**
 * Lag of the indexes, the largest per table name, read at every scrape. `sourceLagMs`: lag of the source that reports
 * changes to the indexes, which is the minimum.
 */
export function createServingMetrics(
  registry: Registry,
  indexes: Iterable<readonly [table: string, Pick<ServedIndex, "behindMs"> & Partial<Pick<ServedIndex, "floor">>]>,
  sourceLagMs: () => number = () => 0,
): ServingMetrics {
  const behind: Gauge<"table"> = new Gauge({
    name: "almanac_serving_behind_seconds",
    help: "How far a serving index is behind the store, in seconds; NaN while it is being built.",
    labelNames: ["table"] as const,
    registers: [registry],
    collect: () => {
      const most = new Map<string, number>();
      for (const [table, index] of indexes)
        most.set(table, Math.max(most.get(table) ?? sourceLagMs(), index.behindMs() ?? Number.NaN));
      for (const [table, ms] of most) behind.set({ table }, ms / 1000);
    },
  });
  const whole: Gauge<"table"> = new Gauge({
    name: "almanac_serving_whole_from_seconds",
    help: "Unix second from which a serving index has all rows, 0 if it has all of them; NaN while there is none.",
    labelNames: ["table"] as const,
    registers: [registry],
    collect: () => {
      for (const [table, { floor }] of indexes) if (floor !== undefined) whole.set({ table }, floor() ?? Number.NaN);
    },
  });
  const pages = new Counter({
    name: "almanac_serving_pages_total",
    help: "Pages of datasets with a serving index by their source; cached ones are not counted.",
    labelNames: ["by"] as const,
    registers: [registry],
  });
  const compared = new Counter({
    name: "almanac_serving_compared_total",
    help: "Sampled pages of an index (one in 500) compared with the engine: equal, different, or changed meanwhile.",
    labelNames: ["outcome"] as const,
    registers: [registry],
  });
  return { page: (by) => pages.inc({ by }), compared: (outcome) => compared.inc({ outcome }) };
}

/** Counts damaged files of serving indexes, by the name of their table. */
export function countDamage(registry: Registry): (table: string) => void {
  const damaged = new Counter({
    name: "almanac_serving_damaged_total",
    help: "Damaged files of serving indexes; each is rebuilt while the engine answers.",
    labelNames: ["table"] as const,
    registers: [registry],
  });
  return (table) => damaged.inc({ table });
}
