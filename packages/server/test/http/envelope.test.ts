import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../../src/query/answer.ts";
import { answerOf, HEADERS, openApi, post, ROWS, type Api } from "./api.ts";

let api: Api;
let answer: Answer = answerOf();

beforeAll(async () => {
  api = await openApi(async () => answer);
});
afterAll(() => api.close());

const bytesOf = (headers: Record<string, string>): Promise<{ encoding: string | undefined; body: Buffer }> =>
  new Promise((resolve, reject) => {
    const call = request(api.endpoint, { method: "POST", headers: { ...HEADERS, ...headers } }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.on("end", () => resolve({ encoding: reply.headers["content-encoding"], body: Buffer.concat(chunks) }));
    });
    call.on("error", reject);
    call.end('{"agent_id":574}');
  });

const withGaps = (gaps: Answer["coverage"]["gaps"]): Answer =>
  answerOf({ coverage: { complete: false, from: null, to: null, gaps, reasons: [] } });

describe("the envelope", () => {
  it("contains rows, page, params, coverage, time and id, and is valid JSON", async () => {
    answer = answerOf();
    const reply = await post(api, { agent_id: 574 });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const body = (await reply.json()) as Record<string, unknown>;
    expect(Object.keys(body)).toEqual(["data", "pagination", "params", "coverage", "timestamp", "request_id"]);
    expect(body["data"]).toEqual({ results: JSON.parse(ROWS) });
    expect(body["pagination"]).toEqual({ limit: 50, offset: 0, has_more: true, next_cursor: "abc" });
    expect(body["params"]).toEqual({ closed: "False" });
    expect(body["coverage"]).toEqual({ complete: true, from: "2022-11-21T00:00:00Z", to: null, gaps: [] });
    expect(body["timestamp"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(body["request_id"]).toBe(reply.headers.get("x-request-id"));
    expect(body["request_id"]).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it("includes warnings and the reasons for incomplete coverage if there are any", async () => {
    answer = answerOf({
      warnings: ["unknown parameter x"],
      nextCursor: null,
      hasMore: false,
      coverage: { complete: false, from: null, to: null, gaps: [], reasons: ["Backfill is running."] },
    });
    const reply = await post(api, { agent_id: 574 });
    const body = (await reply.json()) as { warnings: string[]; coverage: { reasons: string[] } };
    expect(body.warnings).toEqual(["unknown parameter x"]);
    expect(body.coverage.reasons).toEqual(["Backfill is running."]);
    expect(reply.headers.get("x-almanac-coverage")).toBe("partial");
    expect(reply.headers.get("etag")).toBe('W/"tag1-partial"');
  });

  it("is sent again when one of several gaps was filled, although the rows are the same", async () => {
    const gap = { from: "2026-11-01T00:00:00Z", to: "2026-11-01T01:00:00Z", reason: "late" };
    answer = withGaps([gap, { ...gap, to: null }]);
    const known = { "if-none-match": (await post(api, { agent_id: 574 })).headers.get("etag") ?? "" };
    expect((await post(api, { agent_id: 574 }, known)).status).toBe(304);
    answer = withGaps([gap]);
    expect((await post(api, { agent_id: 574 }, known)).status).toBe(200);
  });

  it("is omitted for documents, whose metadata travels in headers", async () => {
    answer = answerOf({
      format: "csv",
      contentType: "text/csv; charset=utf-8",
      body: Buffer.from("id,size\r\n1,2\r\n"),
      coverage: { complete: false, from: null, to: null, gaps: [], reasons: ["A gap\r\nset-cookie: x=1 — é"] },
    });
    const reply = await post(api, { agent_id: 574 }, { accept: "text/csv" });
    expect(await reply.text()).toBe("id,size\r\n1,2\r\n");
    expect(reply.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(reply.headers.get("x-almanac-has-more")).toBe("true");
    expect(reply.headers.get("x-almanac-next-cursor")).toBe("abc");
    expect(reply.headers.get("x-almanac-coverage")).toBe("partial");
    expect(reply.headers.get("x-almanac-coverage-reasons")).toBe("A gap??set-cookie: x=1 ? ?");
    expect(reply.headers.get("set-cookie")).toBeNull();
  });
});

describe("compression", () => {
  const rows = JSON.stringify(Array.from({ length: 100 }, (_, index) => ({ id: `row ${index}`, size: index })));

  it.each([
    ["gzip", "gzip", gunzipSync],
    ["br", "br", brotliDecompressSync],
    ["zstd", "zstd", zstdDecompressSync],
    ["gzip, deflate, br", "br", brotliDecompressSync],
    ["gzip;q=1.0, br;q=0.5", "gzip", gunzipSync],
    ["*", "zstd", zstdDecompressSync],
    ["br;q=0, *;q=0.1", "zstd", zstdDecompressSync],
  ])("answers %s with %s", async (accepted, expected, open) => {
    answer = answerOf({ body: Buffer.from(rows) });
    const { encoding, body } = await bytesOf({ "accept-encoding": accepted });
    expect(encoding).toBe(expected);
    expect((JSON.parse(open(body).toString()) as { data: { results: unknown } }).data.results).toEqual(
      JSON.parse(rows),
    );
  });

  it.each(["identity", "deflate", "gzip;q=0", "", "gzip;q=0.4, identity;q=0.9"])(
    "leaves answers uncompressed for %j",
    async (accepted) => {
      answer = answerOf({ body: Buffer.from(rows) });
      const { encoding, body } = await bytesOf({ "accept-encoding": accepted });
      expect(encoding).toBeUndefined();
      expect(JSON.parse(body.toString())).toHaveProperty("data");
    },
  );

  it("leaves small and binary answers uncompressed", async () => {
    answer = answerOf({ body: Buffer.from("[]") });
    expect((await bytesOf({ "accept-encoding": "gzip" })).encoding).toBeUndefined();
    answer = answerOf({ format: "parquet", contentType: "application/vnd.apache.parquet", body: Buffer.alloc(5000) });
    expect((await bytesOf({ "accept-encoding": "gzip" })).encoding).toBeUndefined();
  });
});
