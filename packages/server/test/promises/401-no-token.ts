import { describe, expect, it } from "vitest";
import { revokeKey } from "../../src/access/keys.ts";
import { expectError } from "./expect-error.ts";
import type { Service } from "./service.ts";

export function promiseNoToken(service: () => Service): void {
  describe("401: no valid token", () => {
    it("has one message for absent, malformed, unknown, mistyped, expired and revoked tokens", async () => {
      const { key, makeKey, admin, ask, pass } = service();
      const expiring = await makeKey({ expires: new Date(admin.clock() + 60_000) });
      const revoked = await makeKey();
      expect((await ask({ agent_id: 574 }, { authorization: `Bearer ${expiring}` })).status).toBe(200);
      expect((await ask({ agent_id: 574 }, { authorization: `Bearer ${revoked}` })).status).toBe(200);
      await revokeKey(admin, revoked);
      pass(61_000);
      const unknown = "alm_live_aaaaaaaaaaaaaaaaaaaaaaaaaa_aaaaaa";
      const mistyped = `${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`;
      const said = new Set<string>();
      for (const authorization of [
        "",
        "Bearer",
        `Basic ${key}`,
        key,
        `Bearer ${unknown}`,
        `Bearer ${mistyped}`,
        `Bearer ${expiring}`,
        `Bearer ${revoked}`,
      ]) {
        const reply = await ask({ agent_id: 574 }, { authorization });
        expect(reply.headers.get("www-authenticate")).toBe('Bearer realm="almanac"');
        expect(reply.headers.get("x-ratelimit-limit")).toBeNull();
        said.add((await expectError(reply, "UNAUTHENTICATED")).message);
      }
      expect(said.size).toBe(1);
    });

    it("is returned before the body is examined", async () => {
      const wrong = { authorization: "Bearer x", "content-type": "text/plain", accept: "image/png" };
      await expectError(await service().ask("{", wrong), "UNAUTHENTICATED");
    });

    it("takes effect within a second of a revocation", async () => {
      const { makeKey, admin, ask } = service();
      const key = await makeKey();
      const headers = { authorization: `Bearer ${key}` };
      expect((await ask({ agent_id: 574 }, headers)).status).toBe(200);
      await revokeKey(admin, key);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect((await ask({ agent_id: 574 }, headers)).status).toBe(401);
    });
  });
}
