import { describe, expect, it } from "vitest";
import { requiredParams } from "../fuzz/samples.ts";
import { expectError } from "./expect-error.ts";
import type { Service } from "./service.ts";

export function promiseMistakes(service: () => Service): void {
  describe("400: a mistake of the caller", () => {
    it.each(["", "{", "[]", "null", "x".repeat(100)])("MALFORMED_JSON for %j", async (body) => {
      await expectError(await service().ask(body), "MALFORMED_JSON", body);
    });

    it("MISSING_AGENT_ID and INVALID_AGENT_ID", async () => {
      await expectError(await service().ask({}), "MISSING_AGENT_ID");
      for (const agentId of ["574", 574.5, null, true, [574], {}]) {
        await expectError(await service().ask({ agent_id: agentId }), "INVALID_AGENT_ID");
      }
    });

    it("INVALID_REQUEST for an unknown field", async () => {
      const error = await expectError(await service().ask({ agent_id: 574, param: {} }), "INVALID_REQUEST");
      expect(error.details?.[0]?.path).toBe("param");
    });

    it.each([null, 1, true, [], {}])("INVALID_PARAMS for the value %j, which is not a string", async (value) => {
      for (const dataset of service().catalogue) {
        const name = Object.keys(dataset.params)[0] ?? "";
        const params = { ...requiredParams(dataset), [name]: value };
        const error = await expectError(await service().ask({ agent_id: dataset.agentId, params }), "INVALID_PARAMS");
        expect(error.details?.some((detail) => detail.path === `params.${name}`)).toBe(true);
      }
    });

    it("INVALID_PARAMS for an unknown name, listing the nearest and the known ones", async () => {
      for (const dataset of service().catalogue) {
        const name = Object.keys(dataset.params)[0] ?? "";
        const params = { ...requiredParams(dataset), [`${name}x`]: "1" };
        const error = await expectError(await service().ask({ agent_id: dataset.agentId, params }), "INVALID_PARAMS");
        expect(error.details?.[0]?.path).toBe(`params.${name}x`);
        for (const known of Object.keys(dataset.params)) expect(error.details?.[0]?.expected).toContain(known);
      }
    });

    it("INVALID_PARAMS for a missing required parameter", async () => {
      for (const dataset of service().catalogue) {
        for (const [name] of Object.entries(dataset.params).filter(([, param]) => param.isRequired)) {
          const error = await expectError(
            await service().ask({ agent_id: dataset.agentId, params: {} }),
            "INVALID_PARAMS",
          );
          expect(error.details?.map((detail) => detail.path)).toContain(`params.${name}`);
        }
      }
    });

    it("INVALID_PARAMS for a value outside its choices or range, listing what is allowed", async () => {
      const side = await expectError(
        await service().ask({ agent_id: 556, params: { side: "HOLD" } }),
        "INVALID_PARAMS",
      );
      expect(side.message).toContain("BUY");
      for (const timestamp of [
        "17000000000",
        "1000000000000000",
        "2026-02-30",
        "2026-02-30T00:00:00Z",
        "1969-01-01",
        "now()",
      ]) {
        await expectError(await service().ask({ agent_id: 556, params: { start_time: timestamp } }), "INVALID_PARAMS");
      }
      await expectError(await service().ask({ agent_id: 556, params: { wallet: "0x12" } }), "INVALID_PARAMS");
      await expectError(
        await service().ask({ agent_id: 556, params: { start_time: "2026-06-02", end_time: "2026-06-01" } }),
        "INVALID_PARAMS",
      );
    });

    it.each([
      { limit: 0 },
      { limit: -1 },
      { limit: 1.5 },
      { limit: "10" },
      { limit: null },
      { limit: 1_000_000 },
      { offset: -1 },
      { offset: "0" },
      { cursor: "made-up" },
      { page: 2 },
    ])("INVALID_PAGINATION for %j", async (pagination) => {
      await expectError(await service().ask({ agent_id: 574, pagination }), "INVALID_PAGINATION");
    });

    it("INVALID_PAGINATION for another query's cursor, and for one with an offset", async () => {
      const first = (await (await service().ask({ agent_id: 574, pagination: { limit: 1 } })).json()) as {
        pagination: { next_cursor: string };
      };
      const cursor = first.pagination.next_cursor;
      await expectError(
        await service().ask({ agent_id: 574, params: { closed: "True" }, pagination: { cursor } }),
        "INVALID_PAGINATION",
      );
      await expectError(await service().ask({ agent_id: 556, pagination: { cursor } }), "INVALID_PAGINATION");
      await expectError(
        await service().ask({ agent_id: 574, pagination: { cursor, offset: 1 } }),
        "INVALID_PAGINATION",
      );
    });

    it.each([{ format_type: "xml" }, { format_type: 1 }, { format_type: null }])(
      "INVALID_FORMAT for %j",
      async (config) => {
        await expectError(await service().ask({ agent_id: 574, formatter_config: config }), "INVALID_FORMAT");
      },
    );
  });
}
