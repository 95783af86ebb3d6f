import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService, type Service } from "../../server/test/promises/service.ts";
import { AlmanacError, createClient, type Client } from "../src/index.ts";

type Trade = { readonly id: string; readonly price: number; readonly timestamp: string };

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await openService();
  client = createClient({ baseUrl: service.url, key: service.key });
}, 300_000);
afterAll(() => service.close());

describe("the client with the real service", () => {
  it("returns rows, page, coverage, filters, request id and allowance", async () => {
    const answer = await client.ask<Trade>(556, { side: "both" }, { limit: 3 });
    expect(answer.results).toHaveLength(3);
    expect(answer.results[0]).toMatchObject({ id: expect.any(String), price: expect.any(Number) });
    expect(answer.pagination).toMatchObject({ limit: 3, offset: 0, hasMore: true, nextCursor: expect.any(String) });
    expect(answer.coverage).toMatchObject({ complete: true, gaps: [], reasons: [] });
    expect(answer.params).toEqual({ side: "both" });
    expect(answer.warnings).toEqual([]);
    expect(answer.requestId).toMatch(/^req_/);
    expect(answer.rate).toMatchObject({ limit: 1_000_000, remaining: expect.any(Number) });
  });

  it("walks all pages without repeating a row", async () => {
    const ids: string[] = [];
    for await (const page of client.pages<Trade>(556, {}, { limit: 60 }))
      ids.push(...page.results.map((row) => row.id));
    expect(new Set(ids).size).toBe(ids.length);
    const whole = await client.ask<Trade>(556, {}, { limit: 1000 });
    expect(ids).toEqual(whole.results.map((row) => row.id));
    expect(ids.length).toBeGreaterThan(120);
  });

  it("ends a walk at maxPages and reports that there is more", async () => {
    const pages = [];
    for await (const page of client.pages(556, {}, { limit: 2, maxPages: 3 })) pages.push(page);
    expect(pages).toHaveLength(3);
    expect(pages.at(-1)?.pagination.hasMore).toBe(true);
  });

  it("downloads documents in each format", async () => {
    const csv = await client.download(556, {}, { format: "csv", limit: 2 });
    expect((await csv.body.text()).trim().split("\n")).toHaveLength(3);
    expect(csv).toMatchObject({ isComplete: true, hasMore: true, nextCursor: expect.any(String) });
    expect(csv.contentType).toContain("text/csv");
    const ndjson = await client.download(556, {}, { format: "ndjson", limit: 2 });
    expect(JSON.parse((await ndjson.body.text()).split("\n")[0] ?? "")).toHaveProperty("price");
    const parquet = await client.download(556, {}, { format: "parquet", limit: 2 });
    expect((await parquet.body.text()).slice(0, 4)).toBe("PAR1");
    const arrow = await client.download(556, {}, { format: "arrow", limit: 2 });
    expect(arrow.contentType).toContain("arrow");
  });

  it("throws an error that lists what was wrong, field by field", async () => {
    const error: unknown = await client.ask(556, { sied: "BUY", min_usd: "much" }).catch((why: unknown) => why);
    expect(error).toBeInstanceOf(AlmanacError);
    expect(error).toMatchObject({
      status: 400,
      code: "INVALID_PARAMS",
      docs: expect.stringContaining("/docs/errors/"),
    });
    const { details, requestId } = error as AlmanacError;
    expect(details.map((one) => one.path).sort()).toEqual(["params.min_usd", "params.sied"]);
    expect(details.find((one) => one.path === "params.sied")?.problem).toContain("did you mean side?");
    expect(requestId).toMatch(/^req_/);
  });

  it("throws 401 for an unknown key", async () => {
    const stranger = createClient({ baseUrl: service.url, key: "alm_live_nobody" });
    await expect(stranger.ask(556)).rejects.toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
  });
});
