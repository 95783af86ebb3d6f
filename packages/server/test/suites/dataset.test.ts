import { examplesOf } from "../../src/definition/example-values.ts";
import { tableFromIPC } from "apache-arrow";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { datasets } from "../../src/catalogue.ts";
import type { DatasetDefinition } from "../../src/definition/dataset.ts";
import type { Param } from "../../src/definition/param.ts";
import { openSampledQuery } from "../fixtures/open-sampled-query.ts";
import { once } from "../fixtures/once.ts";
import { readCsv } from "../fixtures/read-csv.ts";
import { market, SAMPLE_PARAMS, table } from "../fixtures/sample-rows.ts";

let store: Awaited<ReturnType<typeof openSampledQuery>>["store"];
let query: Awaited<ReturnType<typeof openSampledQuery>>["query"];
beforeAll(async () => {
  ({ store, query } = await openSampledQuery());
});
afterAll(() => store.close());

const WIRE: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  id: (value) => typeof value === "string",
  flag: (value) => typeof value === "boolean",
  int: Number.isInteger,
  num: (value) => typeof value === "number",
  iso: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value),
  "json string": (value) => typeof value === "string" && Array.isArray(JSON.parse(value)),
  list: Array.isArray,
};

const isWire = (wire: string, value: unknown): boolean => {
  const places = /^dec\((\d+)\)$/.exec(wire)?.[1];
  return places === undefined
    ? (WIRE[wire]?.(value) ?? false)
    : typeof value === "string" && new RegExp(`^-?\\d+\\.\\d{${places}}$`).test(value);
};

/** Enough page edges of a long answer to hit rows that differ only in the last column of the order. */
const PAGES = 8;

/** The text of a parameter if none was sent. */
function withoutFilter(one: Param, params: Readonly<Record<string, string>>): string {
  const hasDefault = one.defaultUnless === undefined || !(one.defaultUnless in params);
  return (hasDefault ? one.defaultText : undefined) ?? one.offValues.at(-1) ?? "";
}

const textOf = (row: unknown): string => JSON.stringify(row);

describe.each(datasets.map((dataset) => [dataset.name, dataset] as const))(
  "%s",
  (_name, dataset: DatasetDefinition) => {
    const params = SAMPLE_PARAMS[dataset.agentId] ?? {};
    // Answers that several tests compare with are requested once.
    const firstRows = once(() => query.rows(dataset.agentId, { params }));
    const manyRows = once(() =>
      query.rows(dataset.agentId, { params, pagination: { limit: Math.min(1000, dataset.limit.max) } }),
    );
    const pageAt = (limit: number, offset: number) =>
      query.answer(dataset.agentId, { params, pagination: { limit, offset } });

    test("returns rows with the documented fields, order and wire types", async () => {
      const rows = await firstRows();
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) {
        expect(Object.keys(row)).toEqual(Object.keys(dataset.row));
        for (const [field, column] of Object.entries(dataset.row)) {
          if (row[field] === null) expect(column.nullable, `${field} is null`).toBe(true);
          else
            expect(
              isWire(column.wire, row[field]),
              `${field} = ${JSON.stringify(row[field])} is not ${column.wire}`,
            ).toBe(true);
        }
      }
    });

    test("returns the same rows in typed, with numbers for decimal strings", async () => {
      const raw = await firstRows();
      const typed = await query.rows(dataset.agentId, { params, format: "typed" });
      expect(typed.map((row) => Object.keys(row))).toEqual(raw.map((row) => Object.keys(row)));
      raw.forEach((row, index) => {
        for (const [field, column] of Object.entries(dataset.row)) {
          if (column.wire.startsWith("dec") && row[field] !== null)
            expect(typed[index]?.[field]).toBe(Number(row[field]));
          if (column.wire === "json string") expect(Array.isArray(typed[index]?.[field])).toBe(true);
        }
      });
    });

    test("returns each row once when paged by cursor, the same rows as one large page", async () => {
      const whole = await manyRows();
      const limit = thoroughly(3, Math.max(3, Math.ceil(whole.length / PAGES)));
      const walked: unknown[] = [];
      let cursor: string | null = null;
      do {
        const page = await query.answer(dataset.agentId, {
          params,
          pagination: { limit, ...(cursor === null ? {} : { cursor }) },
        });
        const rows = JSON.parse(page.body.toString("utf8")) as unknown[];
        expect(page.rowCount).toBe(rows.length);
        expect(page.hasMore).toBe(page.nextCursor !== null);
        walked.push(...rows);
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(walked.map(textOf).sort()).toEqual(whole.map(textOf).sort());
    });

    test("reports has_more exactly at the edge, also by offset", async () => {
      const total = (await manyRows()).length;
      expect((await pageAt(total, 0)).hasMore).toBe(false);
      if (total > 1) expect((await pageAt(total - 1, 0)).hasMore).toBe(true);
      expect(await pageAt(1, total - 1)).toMatchObject({ rowCount: 1, hasMore: false });
      expect(await pageAt(5, total)).toMatchObject({ rowCount: 0, hasMore: false });
      expect(await pageAt(5, 1_000_000_000_000)).toMatchObject({ rowCount: 0, hasMore: false });
    });

    test("treats every off value as no filter", async () => {
      const bare = await firstRows();
      const off = Object.fromEntries(
        Object.entries(dataset.params)
          .filter(([name, one]) => !(name in params) && !one.isRequired)
          .map(([name, one]) => [name, withoutFilter(one, params)]),
      );
      expect(await query.rows(dataset.agentId, { params: { ...off, ...params } })).toEqual(bare);
    });

    test("accepts every alias for its parameter", async () => {
      for (const [name, one] of Object.entries(dataset.params)) {
        for (const alias of one.aliases) {
          if (alias in dataset.params) continue;
          const value = params[name] ?? "";
          const { [name]: _, ...others } = params;
          if (value === "" && one.isRequired) continue;
          await expect(query.answer(dataset.agentId, { params: { ...others, [alias]: value } })).resolves.toBeDefined();
        }
      }
    });

    test("refuses an unknown parameter by name, and a value that is not a string", async () => {
      const [first = "x"] = Object.keys(dataset.params);
      await expect(query.answer(dataset.agentId, { params: { ...params, [`${first}_`]: "1" } })).rejects.toMatchObject({
        code: "INVALID_PARAMS",
        message: expect.stringContaining(`did you mean ${first}`) as string,
      });
      for (const value of [1, true, null, [], {}]) {
        await expect(query.answer(dataset.agentId, { params: { ...params, [first]: value } })).rejects.toMatchObject({
          code: "INVALID_PARAMS",
        });
      }
    });

    test("limits its page size", async () => {
      await expect(
        query.answer(dataset.agentId, { params, pagination: { limit: dataset.limit.max + 1 } }),
      ).rejects.toMatchObject({ code: "INVALID_PAGINATION" });
    });

    test("is documented: every parameter and field has a description, and every example is answered", async () => {
      for (const [name, one] of [...Object.entries(dataset.params), ...Object.entries(dataset.row)])
        expect(one.about, name).not.toBe("");
      expect(dataset.examples.length).toBeGreaterThan(0);
      for (const example of examplesOf(dataset))
        await expect(query.answer(dataset.agentId, { params: example.params })).resolves.toBeDefined();
    });

    // Parquet is tested value by value in columnar.test.ts.
    test("returns the same rows as CSV, NDJSON and Arrow", async () => {
      const rows = await query.rows(dataset.agentId, { params, pagination: { limit: 4 } });
      const as = async (format: "csv" | "ndjson" | "arrow") =>
        query.answer(dataset.agentId, { params, pagination: { limit: 4 }, format });
      const fields = Object.keys(rows[0] ?? {});
      const [head, ...lines] = readCsv((await as("csv")).body.toString("utf8"));
      expect(head).toEqual(fields);
      const isNumber = fields.map((field) => ["int", "num"].includes(dataset.row[field]?.wire ?? ""));
      expect(
        lines.map((cells) => cells.map((cell, at) => (isNumber[at] && cell !== null ? Number(cell) : cell))),
      ).toEqual(
        rows.map((row) =>
          Object.values(row).map((value) => {
            if (typeof value === "boolean") return String(value);
            return Array.isArray(value) ? JSON.stringify(value) : value;
          }),
        ),
      );
      expect(
        (await as("ndjson")).body
          .toString("utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as unknown),
      ).toEqual(rows);
      const arrow = tableFromIPC((await as("arrow")).body);
      expect(arrow.numRows).toBe(rows.length);
      expect(arrow.schema.fields.map((field) => field.name)).toEqual(fields);
    });
  },
);

test("a market that changes while pages are read is neither repeated nor missed", async () => {
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let cycle = 0; ; cycle += 1) {
    const page = await query.answer(574, { pagination: { limit: 7, ...(cursor === null ? {} : { cursor }) } });
    seen.push(...(JSON.parse(page.body.toString("utf8")) as { slug: string }[]).map((row) => row.slug));
    cursor = page.nextCursor;
    if (cursor === null) break;
    await store.insert(table("polymarket_markets"), [
      market(cycle, { volume_total: "0.5" }),
      market(100 + (cycle % 20), { volume_total: String(5000 + cycle) }),
      market(500 + cycle, { volume_total: "600" }),
    ]);
  }
  expect(seen.length).toBe(120);
  expect(new Set(seen).size).toBe(120);
});

describe("a cursor", () => {
  test("that was altered, or belongs to another query, is refused", async () => {
    const page = await query.answer(574, { pagination: { limit: 2 } });
    const cursor = page.nextCursor ?? "";
    for (const bad of [
      `${cursor}A`,
      cursor.slice(1),
      "x",
      "AAAA",
      `${cursor.slice(0, 20)}${cursor[20] === "A" ? "B" : "A"}${cursor.slice(21)}`,
      cursor.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
    ]) {
      await expect(query.answer(574, { pagination: { limit: 2, cursor: bad } })).rejects.toMatchObject({
        code: "INVALID_PAGINATION",
      });
    }
    await expect(
      query.answer(574, { params: { closed: "True" }, pagination: { limit: 2, cursor } }),
    ).rejects.toMatchObject({ code: "INVALID_PAGINATION" });
    await expect(query.answer(574, { pagination: { limit: 2, offset: 4, cursor } })).rejects.toMatchObject({
      code: "INVALID_PAGINATION",
    });
  });
});
