import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { datasets } from "../../src/catalogue.ts";
import { once } from "../fixtures/once.ts";
import { openSampledQuery } from "../fixtures/open-sampled-query.ts";
import { openServedQuery } from "../fixtures/open-served-query.ts";
import { SAMPLE_PARAMS } from "../fixtures/sample-rows.ts";

let store: Awaited<ReturnType<typeof openSampledQuery>>["store"];
let engine: Awaited<ReturnType<typeof openSampledQuery>>["query"];
const served = once(() => openServedQuery(store, Date.now));
beforeAll(async () => void ({ store, query: engine } = await openSampledQuery()));
afterAll(async () => {
  await (await served()).close();
  await store.close();
});

/** Number of pages tested from either end, because reading all of them would take long. */
const PAGES = thoroughly(10_000, 2);
const LIMITS = thoroughly([1, 2, 7], [1, 7]);
/** A timestamp as every column prints it: in UTC, with no, three or six decimals. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3}|\.\d{6})?Z$/;

describe.each(datasets.map((dataset) => [dataset.name, dataset] as const))("%s", (_name, dataset) => {
  const params = SAMPLE_PARAMS[dataset.agentId] ?? {};
  describe.each(["engine", "index"])("answered by the %s", (by) => {
    const ask = async (pagination: Record<string, unknown>, format: "raw" | "typed" = "raw") =>
      (by === "engine" ? engine : await served()).answer(dataset.agentId, { params, pagination, format });
    const longest = Math.min(1000, dataset.limit.max);
    const whole = once(() => ask({ limit: longest }));

    test.each(LIMITS)("returns full pages of %i except the last, where has_more is false", async (limit) => {
      const { rowCount: total, hasMore: isLonger } = await whole();
      expect(isLonger).toBe(false);
      const isRight = async (at: number, requested: Record<string, unknown>) => {
        const page = await ask({ limit, ...requested });
        expect([page.rowCount, page.hasMore], `at ${at}`).toEqual([Math.min(limit, total - at), total - at > limit]);
        expect(JSON.parse(page.body.toString("utf8"))).toHaveLength(page.rowCount);
        return page.nextCursor;
      };
      let cursor: string | null = null;
      for (let [at, pages] = [0, 0]; at < total && pages < PAGES; [at, pages] = [at + limit, pages + 1]) {
        cursor = await isRight(at, cursor === null ? {} : { cursor });
        expect(cursor === null).toBe(at + limit >= total);
      }
      const near = Math.max(0, total - PAGES * limit);
      for (let at = near - (near % limit); at < total; at += limit) await isRight(at, { offset: at });
    });

    test("prints every timestamp of a column in UTC and with one width", async () => {
      for (const format of ["raw", "typed"] as const) {
        const { body } = await (format === "raw" ? whole() : ask({ limit: longest }, format));
        const rows = JSON.parse(body.toString("utf8")) as Record<string, unknown>[];
        for (const [field, { wire }] of Object.entries(dataset.row)) {
          if (wire !== "iso") continue;
          const said = rows.map((row) => row[field]).filter((value) => value !== null);
          for (const value of said) expect(value, field).toMatch(TIMESTAMP);
          expect(new Set(said.map((value) => String(value).length)).size, field).toBeLessThanOrEqual(1);
        }
      }
    });
  });
});
