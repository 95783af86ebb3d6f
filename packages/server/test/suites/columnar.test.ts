import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import type { DatasetDefinition } from "../../src/definition/dataset.ts";
import { openSampledQuery } from "../fixtures/open-sampled-query.ts";
import { once } from "../fixtures/once.ts";
import { readArrow, readParquet, toMicros } from "../fixtures/read-columnar.ts";
import { SAMPLE_PARAMS } from "../fixtures/sample-rows.ts";

let store: Awaited<ReturnType<typeof openSampledQuery>>["store"];
let query: Awaited<ReturnType<typeof openSampledQuery>>["query"];
beforeAll(async () => {
  ({ store, query } = await openSampledQuery());
});
afterAll(() => store.close());

type Rows = readonly Readonly<Record<string, unknown>>[];

const asMicros = (value: unknown): unknown => (typeof value === "string" ? { micros: toMicros(value) } : value);

/** The rows with each timestamp converted by `toTimestamp`. */
const withTimestamps = (rows: Rows, { row }: DatasetDefinition, toTimestamp: (value: unknown) => unknown) =>
  rows.map((one) =>
    Object.fromEntries(
      Object.entries(one).map(([field, value]) => [
        field,
        row[field]?.wire === "iso" && value !== null ? toTimestamp(value) : value,
      ]),
    ),
  );

describe.each(datasets.map((dataset) => [dataset.name, dataset] as const))("%s", (_name, dataset) => {
  const params = SAMPLE_PARAMS[dataset.agentId] ?? {};
  const pagination = { limit: Math.min(50, dataset.limit.max) };
  const body = async (format: "arrow" | "parquet") =>
    (await query.answer(dataset.agentId, { params, pagination, format })).body;
  const typed = once(() => query.rows(dataset.agentId, { params, pagination, format: "typed" }));

  test("returns the same in Arrow as in JSON, with timestamp columns", async () => {
    expect(readArrow(await body("arrow"))).toEqual(withTimestamps(await typed(), dataset, asMicros));
  });

  test("returns the same in Parquet as in JSON, with timestamp columns", async () => {
    const rows = await readParquet(store, await body("parquet"));
    expect(withTimestamps(rows, dataset, asMicros)).toEqual(withTimestamps(await typed(), dataset, asMicros));
  });
});
