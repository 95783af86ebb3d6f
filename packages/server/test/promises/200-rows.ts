import { describe, expect, it } from "vitest";
import { requiredParams } from "../fuzz/samples.ts";
import type { Service } from "./service.ts";

type Page = {
  readonly data: { readonly results: Record<string, unknown>[] };
  readonly pagination: { limit: number; offset: number; has_more: boolean; next_cursor: string | null };
  readonly params: Record<string, string>;
  readonly coverage: { complete: boolean };
  readonly timestamp: string;
  readonly request_id: string;
};

async function pageOf(service: Service, body: unknown, headers: Record<string, string> = {}): Promise<Page> {
  const reply = await service.ask(body, headers);
  const text = await reply.text();
  expect(reply.status, text).toBe(200);
  return JSON.parse(text) as Page;
}

export function promiseRows(service: () => Service): void {
  describe("200: rows", () => {
    it("of every dataset have the columns and types of its definition, in that order", async () => {
      expect(service().catalogue.length).toBeGreaterThanOrEqual(6);
      for (const dataset of service().catalogue) {
        const { data } = await pageOf(service(), {
          agent_id: dataset.agentId,
          params: requiredParams(dataset),
          pagination: { limit: 5 },
        });
        expect(data.results.length, dataset.name).toBeGreaterThan(0);
        for (const row of data.results) {
          expect(Object.keys(row)).toEqual(Object.keys(dataset.row));
          for (const [name, column] of Object.entries(dataset.row)) {
            const value = row[name];
            const type = column.json.raw["type"];
            if (value === null) expect(column.nullable, `${dataset.name}.${name} is null`).toBe(true);
            else if (type === "integer") expect(Number.isInteger(value), `${dataset.name}.${name}`).toBe(true);
            else if (type === "array") expect(Array.isArray(value), `${dataset.name}.${name}`).toBe(true);
            else if (typeof type === "string") expect(typeof value, `${dataset.name}.${name}`).toBe(type);
          }
        }
      }
    });

    it("are also returned if pagination, formatter_config or params are omitted or empty", async () => {
      for (const more of [
        {},
        { params: {} },
        { pagination: {} },
        { pagination: { limit: 1 } },
        { formatter_config: {} },
        { formatter_config: { format_type: "raw" } },
      ]) {
        expect((await pageOf(service(), { agent_id: 574, ...more })).data.results.length).toBeGreaterThan(0);
      }
    });

    it("are also returned with every filter at its off value", async () => {
      for (const dataset of service().catalogue) {
        const needed = requiredParams(dataset);
        const questions = [0, 1, 2].map((turn) =>
          Object.fromEntries(
            Object.entries(dataset.params).map(([name, param]) => [
              name,
              needed[name] ?? param.offValues[turn % param.offValues.length] ?? "",
            ]),
          ),
        );
        const requested = new Map(questions.map((params) => [JSON.stringify(params), params]));
        for (const params of requested.values()) {
          expect(
            (await pageOf(service(), { agent_id: dataset.agentId, params, pagination: { limit: 2 } })).data.results
              .length,
            dataset.name,
          ).toBeGreaterThan(0);
        }
      }
    });

    it("paged by cursor are those paged by offset", async () => {
      for (const dataset of service().catalogue) {
        const ask = { agent_id: dataset.agentId, params: requiredParams(dataset) };
        const whole = (await pageOf(service(), { ...ask, pagination: { limit: 21 } })).data.results;
        const limit = Math.max(1, Math.ceil(whole.length / 3));
        const walked: unknown[] = [];
        let cursor: string | null = null;
        do {
          const next: Page = await pageOf(service(), {
            ...ask,
            pagination: { limit, ...(cursor === null ? {} : { cursor }) },
          });
          walked.push(...next.data.results);
          expect(next.pagination.has_more).toBe(next.pagination.next_cursor !== null);
          cursor = next.pagination.next_cursor;
        } while (cursor !== null && walked.length < whole.length);
        // Candles are oldest first within a page but pages run from the newest, so rows are compared sorted.
        const isNewestPageFirst = dataset.order.includes("pages go back");
        const same = (rows: readonly unknown[]): unknown[] =>
          isNewestPageFirst ? rows.map((row) => JSON.stringify(row)).sort() : [...rows];
        expect(same(walked), dataset.name).toEqual(same(whole));
        const offset = await pageOf(service(), { ...ask, pagination: { limit, offset: limit } });
        expect(offset.data.results, dataset.name).toEqual(walked.slice(limit, 2 * limit));
      }
    });

    it("that do not exist give an empty list with the filters echoed", async () => {
      const none = await pageOf(service(), { agent_id: 556, params: { wallet: `0x${"AB".repeat(20)}` } });
      expect(none.data.results).toEqual([]);
      expect(none.pagination).toEqual({ limit: 100, offset: 0, has_more: false, next_cursor: null });
      expect(none.params).toMatchObject({ proxy_wallet: `0x${"ab".repeat(20)}` });
    });

    it("beyond the end give an empty list, however far", async () => {
      for (const offset of [1000, 10 ** 12, Number.MAX_SAFE_INTEGER]) {
        expect((await pageOf(service(), { agent_id: 556, pagination: { offset } })).data.results).toEqual([]);
      }
    });

    it("are returned typed, as csv, ndjson, parquet and arrow, by the body or by Accept", async () => {
      const ask = { agent_id: 556, pagination: { limit: 3 } };
      const raw = (await pageOf(service(), ask)).data.results;
      const csv = await service().ask(ask, { accept: "text/csv" });
      expect(csv.headers.get("content-type")).toMatch(/^text\/csv/);
      expect((await csv.text()).split("\n")[0]?.replaceAll('"', "").trim()).toBe(Object.keys(raw[0] ?? {}).join(","));
      expect(csv.headers.get("x-almanac-has-more")).toBe("true");
      const lines = await service().ask({ ...ask, formatter_config: { format_type: "ndjson" } });
      expect(lines.headers.get("content-type")).toMatch(/^application\/x-ndjson/);
      expect((await lines.text()).trim().split("\n")).toHaveLength(3);
      const next = lines.headers.get("x-almanac-next-cursor");
      expect((await pageOf(service(), { ...ask, pagination: { limit: 3, cursor: next } })).data.results).toHaveLength(
        3,
      );
      const parquet = Buffer.from(
        await (await service().ask(ask, { accept: "application/vnd.apache.parquet" })).arrayBuffer(),
      );
      expect(parquet.subarray(0, 4).toString()).toBe("PAR1");
      expect(parquet.subarray(-4).toString()).toBe("PAR1");
      const arrow = await service().ask(ask, { accept: "application/vnd.apache.arrow.stream" });
      expect((await arrow.arrayBuffer()).byteLength).toBeGreaterThan(100);
      expect(
        (await pageOf(service(), { ...ask, formatter_config: { format_type: "typed" } })).data.results,
      ).toHaveLength(3);
    });

    it("include the allowance, the time, the coverage and an id in every answer", async () => {
      const reply = await service().ask({ agent_id: 574 }, { "x-request-id": "mine-1" });
      expect(Number(reply.headers.get("x-ratelimit-limit"))).toBe(1_000_000);
      expect(Number(reply.headers.get("x-ratelimit-remaining"))).toBeGreaterThan(0);
      expect(reply.headers.get("ratelimit")).toMatch(/^"burst";r=\d+;t=\d+$/);
      expect(reply.headers.get("x-request-id")).toBe("mine-1");
      const body = (await reply.json()) as Page;
      expect(body.request_id).toBe("mine-1");
      expect(body.coverage.complete).toBe(true);
      expect(Math.abs(Date.parse(body.timestamp) - Date.now())).toBeLessThan(60_000);
    });
  });
}
