import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import { EXAMPLE_SAMPLE } from "../../src/definition/example-values.ts";
import { ERRORS } from "../../src/definition/errors.ts";
import type { Ask } from "../../src/query/answer.ts";
import { answerOf, openApi, TOKEN, type Api } from "./api.ts";

let api: Api;
beforeAll(async () => {
  api = await openApi(async () => answerOf());
});
afterAll(() => api.close());

type Json = { [name: string]: Json } & Json[];

function references(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (name === "$ref" ? [String(inner)] : references(inner)));
}

describe("openapi.json", () => {
  it("describes the one endpoint with a request per dataset, and every reference resolves", async () => {
    const document = (await (await fetch(`${api.url}/openapi.json`)).json()) as Json;
    expect(document["openapi"]).toBe("3.1.0");
    expect(Object.keys(document["paths"] ?? {})).toEqual(["/api/v2/semantic/retrieve/parameterized"]);
    const schemas = document["components"]?.["schemas"] ?? {};
    const request = (schemas as Json)["ThingsRequest"];
    expect(request?.["properties"]?.["agent_id"]?.["const"]).toBe(574);
    expect(request?.["properties"]?.["params"]?.["required"]).toEqual(["owner"]);
    expect(request?.["properties"]?.["params"]?.["properties"]?.["owner"]?.["x-aliases"]).toContain("wallet");
    expect(request?.["properties"]?.["params"]?.["properties"]?.["closed"]?.["x-off-values"]).toContain("BOTH");
    expect(request?.["properties"]?.["pagination"]?.["properties"]?.["limit"]?.["maximum"]).toBe(1000);
    expect((schemas as Json)["ThingsRow"]?.["properties"]?.["size"]?.["x-unit"]).toBe("shares");
    for (const reference of references(document)) {
      const found = reference
        .split("/")
        .slice(1)
        .reduce<Json | undefined>((at, name) => at?.[name], document);
      expect(found, reference).toBeDefined();
    }
    const answers = Object.keys(
      document["paths"]?.["/api/v2/semantic/retrieve/parameterized"]?.["post"]?.["responses"] ?? {},
    );
    for (const error of Object.values(ERRORS)) {
      if (!("isConsoleOnly" in error)) expect(answers).toContain(String(error.status));
    }
    expect(answers).not.toContain("409");
  });

  it("names every header of an answer, of an unchanged one and of a refusal", async () => {
    const document = (await (await fetch(`${api.url}/openapi.json`)).json()) as Json;
    const responses = document["paths"]?.["/api/v2/semantic/retrieve/parameterized"]?.["post"]?.["responses"];
    const send = (tag = "") =>
      fetch(api.endpoint, {
        method: "POST",
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", "if-none-match": tag },
        body: JSON.stringify({ agent_id: 574, params: { owner: `0x${"1".repeat(40)}` } }),
      });
    const answer = await send();
    const unchanged = await send(answer.headers.get("etag") ?? "");
    const refusal = await fetch(api.endpoint, { method: "POST", headers: { authorization: `Bearer ${TOKEN}` } });
    for (const [reply, status] of [
      [answer, "200"],
      [unchanged, "304"],
      [refusal, "415"],
    ] as const) {
      expect(String(reply.status)).toBe(status);
      const named = Object.keys(responses?.[status]?.["headers"] ?? {}).map((name) => name.toLowerCase());
      const sent = [...reply.headers.keys()].filter((name) =>
        /^(?:etag$|x-almanac|x-request|x-rate|ratelimit)/.test(name),
      );
      expect(sent).toContain("ratelimit-policy");
      expect(named).toEqual(expect.arrayContaining(sent));
    }
  });
});

describe("the pages under /docs", () => {
  it("exist for every dataset and every error, and escape what they show", async () => {
    const index = await (await fetch(`${api.url}/docs`)).text();
    const links = [...index.matchAll(/href="(\/docs[^"#]*)/g)].map((match) => match[1] ?? "");
    expect(links.length).toBeGreaterThan(Object.keys(ERRORS).length + 1);
    for (const link of links) expect((await fetch(api.url + link)).status, link).toBe(200);
    const page = await (await fetch(`${api.url}/docs/datasets/things`)).text();
    expect(page.match(/<script/g)).toEqual(["<script"]);
    expect(page).toContain('<script src="/docs/docs.js"></script>');
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(page).toContain("Things &lt;&amp;&gt; &quot;more&quot;");
  });

  it("allow only their own files and answer a second visit with 304", async () => {
    const first = await fetch(`${api.url}/docs`);
    expect(first.headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(first.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const second = await fetch(`${api.url}/docs`, { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
    expect(second.status).toBe(304);
  });

  it("return 404 in the error shape if they do not exist", async () => {
    for (const path of [
      "/docs/errors/nothing",
      "/docs/datasets/..%2f..%2fetc%2fpasswd",
      "/docs/../../etc/passwd",
      `/docs/datasets/${"a".repeat(500)}`,
    ]) {
      const reply = await fetch(api.url + path);
      expect(reply.status).toBe(404);
      expect(await reply.json()).toMatchObject({ error: { code: "NOT_FOUND" } });
    }
  });
});

describe("examples in documents", () => {
  const TWO_MINUTES_MS = 120_000;
  const SAMPLED = `"market_slug":"${EXAMPLE_SAMPLE.values.traded_slug}"`;
  let held: string | undefined;
  let requested = 0;
  let now = Date.parse("2026-11-27T08:00:00Z");
  const ask: Ask = async () => {
    requested += 1;
    return answerOf({
      body: Buffer.from(held === undefined ? "[]" : JSON.stringify([{ slug: held, condition_ids: [] }])),
    });
  };
  let filled: Api;
  beforeAll(async () => {
    filled = await openApi(ask, { catalogue: datasets, clock: () => now });
  });
  afterAll(() => filled.close());

  const PAGE = "/docs/datasets/polymarket-trades";
  const read = async (path: string, tag = "") => {
    const reply = await fetch(filled.url + path, { headers: { "if-none-match": tag } });
    return {
      status: reply.status,
      tag: reply.headers.get("etag") ?? "",
      text: (await reply.text()).replaceAll("&quot;", '"'),
    };
  };

  it("use sample values until some minutes after rows are stored, and then values of those rows", async () => {
    const [page, document] = [await read(PAGE), await read("/openapi.json")];
    for (const { text } of [page, document]) expect(text).toContain(SAMPLED);
    const before = requested;
    held = "held-here";
    expect(await read(PAGE, page.tag)).toMatchObject({ status: 304 });
    expect(requested).toBe(before);
    now += TWO_MINUTES_MS + 1;
    for (const path of [PAGE, "/openapi.json"])
      await expect.poll(async () => (await read(path)).text).toContain('"market_slug":"held-here"');
    expect(await read(PAGE, page.tag)).toMatchObject({ status: 200, text: expect.not.stringContaining(SAMPLED) });
  });

  it("query for values once in some minutes, whatever is read, and never for pages without examples", async () => {
    now += TWO_MINUTES_MS + 1;
    const before = requested;
    const guide = await read("/docs/guides/paging");
    expect(requested).toBe(before);
    await read(PAGE);
    await expect.poll(() => requested).toBeGreaterThan(before + 5);
    const after = requested;
    for (const { name } of datasets) await read(`/docs/datasets/${name}`);
    expect(requested).toBe(after);
    expect(await read("/docs/guides/paging", guide.tag)).toMatchObject({ status: 304 });
  });
});
