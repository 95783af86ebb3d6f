import { join } from "node:path";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createPartMetrics, type Parts } from "../../src/http/part-metrics.ts";

async function valuesOf(
  parts: Omit<Parts, "lastBackup"> & Partial<Parts>,
): Promise<Record<string, number | undefined>> {
  const registry = new Registry();
  createPartMetrics(registry, { lastBackup: async () => undefined, ...parts });
  const metrics = await registry.getMetricsAsJSON();
  return Object.fromEntries(metrics.map(({ name, values }) => [name, values[0]?.value]));
}

const answers = async (): Promise<void> => undefined;
const refuses = (): Promise<never> => Promise.reject(new Error("connection refused"));

test("reports a part that answers as up, one that refuses as down, and the disk's bytes", async () => {
  const values = await valuesOf({ engine: answers, records: refuses, folder: import.meta.dirname });
  expect(values).toMatchObject({ almanac_engine_up: 1, almanac_records_up: 0 });
  expect(values["almanac_disk_free_bytes"]).toBeGreaterThan(0);
  expect(values["almanac_disk_total_bytes"]).toBeGreaterThan(values["almanac_disk_free_bytes"] ?? Infinity);
});

test("reports a part that never answers as down without blocking the scrape", async () => {
  const values = await valuesOf({
    engine: () => new Promise(() => undefined),
    records: answers,
    folder: join(import.meta.dirname, "no-such-folder"),
  });
  expect(values).toMatchObject({ almanac_engine_up: 0, almanac_records_up: 1, almanac_disk_free_bytes: Number.NaN });
});

test("reports the last backup's time in seconds, 0 if there was none, and keeps it while the records do not answer", async () => {
  let lastBackup: Parts["lastBackup"] = refuses;
  const registry = new Registry();
  const parts = { engine: answers, records: answers, folder: import.meta.dirname };
  createPartMetrics(registry, { ...parts, lastBackup: () => lastBackup() });
  const gauge = registry.getSingleMetric("almanac_backup_last_success_timestamp_seconds");
  const reported = async () => (await gauge?.get())?.values[0]?.value;
  expect(await reported()).toBeNaN();
  lastBackup = async () => undefined;
  expect(await reported()).toBe(0);
  lastBackup = async () => new Date("2026-11-22T03:15:07.500Z");
  expect(await reported()).toBe(1_795_317_307.5);
  for (lastBackup of [refuses, () => new Promise<never>(() => undefined)])
    expect(await reported()).toBe(1_795_317_307.5);
});
