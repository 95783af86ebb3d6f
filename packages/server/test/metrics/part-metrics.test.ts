import { join } from "node:path";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createPartMetrics, type Parts } from "../../src/http/part-metrics.ts";

async function valuesOf(parts: Parts): Promise<Record<string, number | undefined>> {
  const registry = new Registry();
  createPartMetrics(registry, parts);
  const metrics = await registry.getMetricsAsJSON();
  return Object.fromEntries(metrics.map(({ name, values }) => [name, values[0]?.value]));
}

const answers = async (): Promise<void> => undefined;
const refuses = (): Promise<never> => Promise.reject(new Error("connection refused"));

test("a part that answers is up, one that refuses is not, and the disk has its bytes", async () => {
  const values = await valuesOf({ engine: answers, records: refuses, folder: import.meta.dirname });
  expect(values).toMatchObject({ almanac_engine_up: 1, almanac_records_up: 0 });
  expect(values["almanac_disk_free_bytes"]).toBeGreaterThan(0);
  expect(values["almanac_disk_total_bytes"]).toBeGreaterThan(values["almanac_disk_free_bytes"] ?? Infinity);
});

test("a part that never answers is away, and the scrape is answered all the same", async () => {
  const values = await valuesOf({
    engine: () => new Promise(() => undefined),
    records: answers,
    folder: join(import.meta.dirname, "no-such-folder"),
  });
  expect(values).toMatchObject({ almanac_engine_up: 0, almanac_records_up: 1, almanac_disk_free_bytes: Number.NaN });
});
