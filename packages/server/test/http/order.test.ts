import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CallerError } from "../../src/definition/errors.ts";
import { openApi, post, TOKEN, type Api } from "./api.ts";

let api: Api;
beforeAll(async () => {
  api = await openApi(
    async () => {
      throw new CallerError("UNKNOWN_AGENT", "No dataset has agent_id 1.");
    },
    { perMinute: 4 },
  );
});
afterAll(() => api.close());

const everythingWrong = { "content-type": "text/plain", accept: "image/png" };

describe("checks of a request", () => {
  it("begin with the path, then the method, before the token", async () => {
    expect((await fetch(`${api.url}/nowhere`, { method: "POST" })).status).toBe(404);
    expect((await fetch(api.endpoint)).status).toBe(405);
  });

  it("test the token before the body, with one message whatever is wrong with it", async () => {
    const messages = new Set<string>();
    for (const authorization of [
      "",
      "Bearer",
      "Basic eDp5",
      "Bearer a b",
      `Bearer ${TOKEN}x`,
      `Token ${TOKEN}`,
      `Bearer ${"x".repeat(5000)}`,
    ]) {
      const reply = await post(api, "{", { ...everythingWrong, authorization });
      expect(reply.status).toBe(401);
      expect(reply.headers.get("www-authenticate")).toBe('Bearer realm="almanac"');
      expect(reply.headers.get("x-ratelimit-limit")).toBeNull();
      const { error } = (await reply.json()) as { error: { code: string; message: string } };
      messages.add(`${error.code} ${error.message}`);
    }
    expect(messages.size).toBe(1);
  });

  it("then test the body, then the query, until the allowance is used up", async () => {
    expect((await post(api, "{", everythingWrong)).status).toBe(415);
    expect((await post(api, "{", { accept: "*/*;q=0" })).status).toBe(406);
    expect((await post(api, "{")).status).toBe(400);
    const last = await post(api, { agent_id: 1 });
    expect(last.status).toBe(404);
    expect(last.headers.get("x-ratelimit-limit")).toBe("4");
    expect(last.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(last.headers.get("ratelimit-policy")).toBe('"burst";q=4;w=60');
    expect(last.headers.get("ratelimit")).toMatch(/^"burst";r=0;t=1[45]$/);
    const limited = await post(api, "{", everythingWrong);
    expect(limited.status).toBe(429);
    const wait = Number(limited.headers.get("retry-after"));
    expect(wait).toBeGreaterThanOrEqual(14);
    expect(wait).toBeLessThanOrEqual(15);
    expect((await post(api, "{", { ...everythingWrong, authorization: "Bearer x" })).status).toBe(401);
  });

  it("accept the authorization scheme in any letter case", async () => {
    expect((await post(api, {}, { authorization: `bEARER ${TOKEN}` })).status).toBe(429);
  });
});
