import { describe, expect, it } from "vitest";
import { expectError } from "./expect-error.ts";
import type { Service } from "./service.ts";

export function promiseNotFound(service: () => Service): void {
  describe("404: not found", () => {
    it.each([0, -1, 1, 999_999_999, Number.MAX_SAFE_INTEGER])("UNKNOWN_AGENT for %d", async (agentId) => {
      const error = await expectError(await service().ask({ agent_id: agentId }), "UNKNOWN_AGENT");
      expect(error.message).toContain(String(agentId));
    });

    it.each([
      "/",
      "/api",
      "/api/v1/semantic/retrieve/parameterized",
      "/api/v2/semantic/retrieve",
      "/metrics",
      "/.env",
      "/docs/../etc/passwd",
      "/%zz",
      "/docs/errors/no-such",
    ])("NOT_FOUND for %s, with or without a token", async (path) => {
      const sent = { method: "POST", headers: { authorization: `Bearer ${service().key}` }, body: "{}" };
      await expectError(await fetch(service().url + path), "NOT_FOUND", path);
      await expectError(await fetch(service().url + path, sent), "NOT_FOUND", path);
    });
  });
}
