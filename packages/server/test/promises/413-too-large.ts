import { describe, expect, it } from "vitest";
import { expectError } from "./expect-error.ts";
import type { Service } from "./service.ts";

export function promiseTooLarge(service: () => Service): void {
  describe("413: the body is too large", () => {
    it.each([65_537, 1_000_000, 3_000_000])("%d bytes, with Content-Length", async (size) => {
      await expectError(await service().ask(" ".repeat(size)), "BODY_TOO_LARGE");
    });

    it("without Content-Length", async () => {
      const { endpoint, key } = service();
      const pieces = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let index = 0; index < 100; index += 1) controller.enqueue(new Uint8Array(1000).fill(0x20));
          controller.close();
        },
      });
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      await expectError(
        await fetch(endpoint, { method: "POST", headers, body: pieces, duplex: "half" }),
        "BODY_TOO_LARGE",
      );
    });

    it("not for exactly 64 KiB", async () => {
      expect((await service().ask(`{"agent_id":574}${" ".repeat(65_536 - 16)}`)).status).toBe(200);
    });
  });
}
