import { describe, expect, it } from "vitest";
import { editPlan } from "../../src/access/plans.ts";
import { expectError } from "./expect-error.ts";
import type { Service } from "./service.ts";

export function promiseNotEntitled(service: () => Service): void {
  describe("403: a valid token that may not read the dataset", () => {
    it("for a key that is limited to other datasets", async () => {
      const key = await service().makeKey({ datasets: [574] });
      const headers = { authorization: `Bearer ${key}` };
      expect((await service().ask({ agent_id: 574 }, headers)).status).toBe(200);
      const error = await expectError(await service().ask({ agent_id: 556 }, headers), "FORBIDDEN");
      expect(error.message).toContain("556");
    });

    it("for a plan that does not include it", async () => {
      await editPlan(service().admin, "pro", { datasets: [574] });
      const key = await service().makeKey({ plan: "pro" });
      const headers = { authorization: `Bearer ${key}` };
      expect((await service().ask({ agent_id: 574 }, headers)).status).toBe(200);
      await expectError(await service().ask({ agent_id: 556 }, headers), "FORBIDDEN");
    });

    it("is returned before the parameters are validated", async () => {
      const key = await service().makeKey({ datasets: [574] });
      await expectError(
        await service().ask({ agent_id: 556, params: { nonsense: "1" } }, { authorization: `Bearer ${key}` }),
        "FORBIDDEN",
      );
    });
  });
}
