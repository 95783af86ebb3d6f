import { describe, expect, it } from "vitest";
import { expectError } from "./expect-error.ts";
import type { Service } from "./service.ts";

export function promiseRateLimited(service: () => Service): void {
  describe("429: the allowance is used up", () => {
    it("after the burst, with a wait that is exact to the second", async () => {
      const { makeKey, ask, pass } = service();
      const headers = { authorization: `Bearer ${await makeKey({ plan: "free" })}` };
      const remaining: number[] = [];
      let reply = await ask({ agent_id: 574 }, headers);
      while (reply.status === 200 && remaining.length < 100) {
        expect(reply.headers.get("x-ratelimit-limit")).toBe("60");
        remaining.push(Number(reply.headers.get("x-ratelimit-remaining")));
        await reply.arrayBuffer();
        reply = await ask({ agent_id: 574 }, headers);
      }
      expect(remaining.length).toBeGreaterThanOrEqual(30);
      expect(remaining[0]).toBe(29);
      expect(remaining.at(-1)).toBe(0);
      expect(reply.headers.get("x-ratelimit-remaining")).toBe("0");
      const wait = Number(reply.headers.get("retry-after"));
      expect(wait).toBe(1);
      await expectError(reply, "RATE_LIMITED");
      pass(wait * 1000);
      expect((await ask({ agent_id: 574 }, headers)).status).toBe(200);
    });

    it("for one key only", async () => {
      const { makeKey, ask } = service();
      const headers = { authorization: `Bearer ${await makeKey({ plan: "free" })}` };
      const replies = await Promise.all(Array.from({ length: 60 }, () => ask({ agent_id: 574 }, headers)));
      expect(replies.filter((reply) => reply.status === 429).length).toBeGreaterThan(10);
      expect((await ask({ agent_id: 574 })).status).toBe(200);
    });
  });
}
