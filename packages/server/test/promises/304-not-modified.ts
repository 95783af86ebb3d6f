import { describe, expect, it } from "vitest";
import type { Service } from "./service.ts";

export function promiseNotModified(service: () => Service): void {
  describe("304: the client already has these rows", () => {
    it("for the tag returned with them, in any list, weak or strong", async () => {
      const ask = { agent_id: 574, pagination: { limit: 3 } };
      const first = await service().ask(ask);
      const tag = first.headers.get("etag") ?? "";
      expect(tag).toMatch(/^W\/"[^"]+"$/);
      for (const sent of [tag, tag.slice(2), `"a", ${tag}`, "*"]) {
        const again = await service().ask(ask, { "if-none-match": sent });
        expect(again.status).toBe(304);
        expect(await again.text()).toBe("");
        expect(again.headers.get("etag")).toBe(tag);
        expect(again.headers.get("x-ratelimit-limit")).not.toBeNull();
      }
    });

    it("not for another page, another format or another query", async () => {
      const tag = (await service().ask({ agent_id: 574, pagination: { limit: 3 } })).headers.get("etag") ?? "";
      for (const more of [
        { pagination: { limit: 4 } },
        { pagination: { limit: 3, offset: 1 } },
        { pagination: { limit: 3 }, formatter_config: { format_type: "typed" } },
      ]) {
        expect((await service().ask({ agent_id: 574, ...more }, { "if-none-match": tag })).status).toBe(200);
      }
    });

    it("not without a valid token", async () => {
      const reply = await service().ask({ agent_id: 574 }, { "if-none-match": "*", authorization: "Bearer x" });
      expect(reply.status).toBe(401);
    });
  });
}
