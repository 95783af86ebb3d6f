import { describe, expect, it } from "vitest";
import { expectError } from "./expect-error.ts";
import type { Service } from "./service.ts";

export function promiseMethod(service: () => Service): void {
  describe("405: the path does not take the method", () => {
    it.each(["GET", "PUT", "PATCH", "DELETE"])("%s on the endpoint, before any token", async (method) => {
      const reply = await fetch(service().endpoint, { method });
      expect(reply.headers.get("allow")).toBe("OPTIONS, POST");
      await expectError(reply, "METHOD_NOT_ALLOWED");
    });

    it("POST on the other paths", async () => {
      for (const path of ["/health", "/ready", "/openapi.json", "/docs"]) {
        const reply = await fetch(service().url + path, { method: "POST", body: "{}" });
        expect(reply.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
        await expectError(reply, "METHOD_NOT_ALLOWED");
      }
    });

    it("HEAD returns it without a body, OPTIONS lists the allowed methods", async () => {
      const head = await fetch(service().endpoint, { method: "HEAD" });
      expect([head.status, await head.text()]).toEqual([405, ""]);
      const options = await fetch(service().endpoint, { method: "OPTIONS" });
      expect([options.status, options.headers.get("allow")]).toEqual([204, "OPTIONS, POST"]);
      expect(options.headers.get("access-control-allow-origin")).toBeNull();
    });
  });
}
