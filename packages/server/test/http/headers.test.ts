import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FormatType } from "../../src/query/answer.ts";
import { answerOf, openApi, post, type Api } from "./api.ts";

let api: Api;
let accepted: FormatType | undefined;
beforeAll(async () => {
  api = await openApi(async (_body, _asker, accept) => {
    accepted = accept;
    return answerOf();
  });
});
afterAll(() => api.close());

describe("Accept", () => {
  it.each([
    ["*/*", undefined],
    ["application/json", undefined],
    ["application/json, text/plain, */*", undefined],
    ["text/html, application/xhtml+xml, */*;q=0.8", undefined],
    ["application/*", undefined],
    ["text/csv", "csv"],
    ["text/*", "csv"],
    ["TEXT/CSV;q=0.9, */*;q=0.1", "csv"],
    ["text/csv, */*", "csv"],
    ["text/csv;q=0.5, application/x-ndjson", "ndjson"],
    ["application/vnd.apache.parquet", "parquet"],
    ["application/vnd.apache.arrow.stream", "arrow"],
    ["application/json;q=0, */*;q=0.1", "csv"],
    ["image/png", undefined],
    ["text/html", undefined],
    ["text/event-stream", undefined],
    ["text/csv;q=abc", undefined],
    ["garbage", undefined],
    [",", undefined],
  ])("%s requests %s", async (accept, format) => {
    expect((await post(api, { agent_id: 574 }, { accept })).status).toBe(200);
    expect(accepted).toBe(format);
  });

  it.each(["*/*;q=0", "application/json;q=0", "application/json;q=0, image/png", "application/json;q=abc"])(
    "%s returns 406",
    async (accept) => {
      const reply = await post(api, { agent_id: 574 }, { accept });
      expect(reply.status).toBe(406);
      expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(await reply.json()).toMatchObject({ error: { code: "NOT_ACCEPTABLE" } });
    },
  );
});

describe("If-None-Match", () => {
  it.each(['W/"tag1"', '"tag1"', '"x", W/"tag1" , "y"', "*"])("%s returns 304 without a body", async (tag) => {
    const reply = await post(api, { agent_id: 574 }, { "if-none-match": tag });
    expect(reply.status).toBe(304);
    expect(await reply.text()).toBe("");
    expect(reply.headers.get("etag")).toBe('W/"tag1"');
    expect(reply.headers.get("x-request-id")).toMatch(/^req_/);
    expect(reply.headers.get("x-ratelimit-remaining")).not.toBeNull();
    expect(reply.headers.get("cache-control")).toBe("private, no-cache");
  });

  it.each(['"other"', "tag1", '"*"', ""])("%s returns 200", async (tag) => {
    expect((await post(api, { agent_id: 574 }, { "if-none-match": tag })).status).toBe(200);
  });
});

describe("X-Request-Id", () => {
  it.each(["abc", "A.b_c-1", "x".repeat(128)])("%s is kept", async (id) => {
    const reply = await post(api, { agent_id: 574 }, { "x-request-id": id });
    expect(reply.headers.get("x-request-id")).toBe(id);
    expect(await reply.json()).toHaveProperty("request_id", id);
  });

  it.each(["", "a b", "x".repeat(129), '"', "a,b", "<b>"])("%s is replaced", async (id) => {
    const reply = await post(api, { agent_id: 574 }, { "x-request-id": id });
    expect(reply.headers.get("x-request-id")).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it("is unique per answer", async () => {
    const replies = await Promise.all(Array.from({ length: 200 }, () => fetch(`${api.url}/health`)));
    expect(new Set(replies.map((reply) => reply.headers.get("x-request-id"))).size).toBe(200);
  });
});

describe("the other headers", () => {
  it("harden the answer, allow no other origin and keep answers out of shared caches", async () => {
    const reply = await post(api, { agent_id: 574 }, { origin: "https://evil.example" });
    expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
    expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
    expect(reply.headers.get("cache-control")).toBe("private, no-cache");
    expect(reply.headers.get("vary")).toBe("accept, accept-encoding, authorization");
    expect(reply.headers.get("server")).toBeNull();
    expect(reply.headers.get("x-powered-by")).toBeNull();
  });
});
