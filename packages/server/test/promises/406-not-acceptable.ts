import { describe, expect, it } from "vitest";
import { expectError } from "./expect-error.ts";
import type { Service } from "./service.ts";

export function promiseNotAcceptable(service: () => Service): void {
  describe("406: no offered format is accepted", () => {
    it.each(["text/html", "image/*", "application/xml, text/plain", "*/*;q=0"])("%s", async (accept) => {
      const error = await expectError(await service().ask({ agent_id: 574 }, { accept }), "NOT_ACCEPTABLE");
      expect(error.message).toContain("application/vnd.apache.parquet");
    });
  });
}
