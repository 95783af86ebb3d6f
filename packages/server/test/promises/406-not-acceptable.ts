import { describe, expect, it } from "vitest";
import { expectError } from "./expect-error.ts";
import type { Service } from "./service.ts";

export function promiseNotAcceptable(service: () => Service): void {
  describe("406: the client refuses every offered format", () => {
    it.each(["*/*;q=0", "application/json;q=0, image/*", "application/*;q=0, application/xml"])(
      "%s",
      async (accept) => {
        const error = await expectError(await service().ask({ agent_id: 574 }, { accept }), "NOT_ACCEPTABLE");
        expect(error.message).toContain("application/vnd.apache.parquet");
      },
    );

    it.each(["text/html", "image/*", "text/event-stream", "application/xml, text/plain", "garbage"])(
      "%s, which is not offered, gets JSON",
      async (accept) => {
        const reply = await service().ask({ agent_id: 574 }, { accept });
        expect(reply.status).toBe(200);
        expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
      },
    );
  });
}
