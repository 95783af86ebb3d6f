import { describe, expect, it } from "vitest";
import { RETRIEVAL_ALIAS } from "../../src/http/create-api.ts";
import type { Service } from "./service.ts";

type Page = { readonly data: { readonly results: readonly unknown[] }; readonly warnings?: readonly string[] };

async function rowsOf(reply: Response): Promise<readonly unknown[]> {
  expect(reply.status).toBe(200);
  return ((await reply.json()) as Page).data.results;
}

/** Requests that are written differently from the documentation and mean the same. */
export function promiseAlike(service: () => Service): void {
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${service().url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${service().key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const requested = { agent_id: 574, pagination: { limit: 3, offset: 1 } };

  describe("200: other ways to send the same request", () => {
    it("ignores a slash at the end of the path", async () => {
      const path = new URL(service().endpoint).pathname;
      const rows = await rowsOf(await post(path, requested));
      expect(rows).toHaveLength(3);
      expect(await rowsOf(await post(`${path}/`, requested))).toEqual(rows);
      expect((await fetch(`${service().url}${path}/`)).status).toBe(405);
    });

    it("accepts limit and offset at the top level on the older path", async () => {
      const rows = await rowsOf(await service().ask(requested));
      expect(await rowsOf(await post(RETRIEVAL_ALIAS, { agent_id: 574, limit: 3, offset: 1 }))).toEqual(rows);
      expect(await rowsOf(await post(`${RETRIEVAL_ALIAS}/`, { limit: 9, ...requested }))).toEqual(rows);
      expect((await post(RETRIEVAL_ALIAS, { agent_id: 574, limit: 0 })).status).toBe(400);
    });

    it("treats null as not sent, and ignores unknown keys of formatter_config with a warning", async () => {
      const rows = await rowsOf(await service().ask({ agent_id: 574 }));
      const nulls = { agent_id: 574, params: null, pagination: null, formatter_config: null };
      expect(await rowsOf(await service().ask(nulls))).toEqual(rows);
      const reply = await service().ask({ agent_id: 574, formatter_config: { format_type: "raw", timezone: "UTC" } });
      expect(reply.headers.get("x-almanac-warnings")).toContain("timezone");
      const page = (await reply.json()) as Page;
      expect(page.data.results).toEqual(rows);
      expect(page.warnings).toHaveLength(1);
    });

    it("finds a market's candles and books by its slug, and none if there is no such market", async () => {
      const { data } = (await (
        await service().ask({ agent_id: 568, params: { market_slug: "no-such" } })
      ).json()) as Page;
      expect(data.results).toEqual([]);
      const csv = { agent_id: 572, params: { market_slug: "no-such" }, formatter_config: { format_type: "csv" } };
      expect((await (await service().ask(csv)).text()).split("\n")[0]).toContain('"asks","bids"');
      for (const format_type of ["typed", "ndjson", "parquet", "arrow"])
        expect((await service().ask({ ...csv, formatter_config: { format_type } })).status).toBe(200);
      expect((await service().ask({ agent_id: 568 })).status).toBe(400);
    });
  });
}
