import { describe, it } from "vitest";
import { expectError } from "./expect-error.ts";
import type { Service } from "./service.ts";

export function promiseMediaType(service: () => Service): void {
  describe("415: the body is not uncompressed application/json", () => {
    it.each(["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16", "nonsense"])(
      "%s",
      async (type) => {
        await expectError(await service().ask({ agent_id: 574 }, { "content-type": type }), "UNSUPPORTED_MEDIA_TYPE");
      },
    );

    it.each(["gzip", "br", "zstd", "deflate, gzip"])("encoded as %s", async (encoding) => {
      await expectError(
        await service().ask({ agent_id: 574 }, { "content-encoding": encoding }),
        "UNSUPPORTED_MEDIA_TYPE",
      );
    });
  });
}
