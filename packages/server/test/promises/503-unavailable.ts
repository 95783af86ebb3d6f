import { describe, expect, it } from "vitest";
import { expectError } from "./expect-error.ts";
import type { Service } from "./service.ts";

/** Runs last because it stops the engine permanently. */
export function promiseUnavailable(service: () => Service): void {
  describe("503: the service cannot answer now", () => {
    it("while the store is down, with a wait; requests that need no store still work", async () => {
      await service().store.close();
      const reply = await service().ask({ agent_id: 574, params: { market_slug: "not-asked-before" } });
      expect(Number(reply.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      await expectError(reply, "UNAVAILABLE");
      expect((await service().ask({ agent_id: 574 }, { authorization: "" })).status).toBe(401);
      expect((await service().ask({ agent_id: 574, params: { nonsense: "1" } })).status).toBe(400);
      expect((await fetch(`${service().url}/health`)).status).toBe(200);
    });
  });
}
