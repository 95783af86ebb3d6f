import { afterAll, beforeAll, expect, test } from "vitest";
import { openAccess } from "../../src/access/access.ts";
import { editPlan } from "../../src/access/plans.ts";
import { openService, type Service } from "../promises/service.ts";

const broken = (): never => {
  throw new TypeError("the list of datasets is broken");
};
let service: Service;
beforeAll(async () => {
  service = await openService({
    prepare: async ({ records, log }) => {
      const access = openAccess({ records, clock: Date.now, log });
      return { access: { ...access, mayRead: broken } };
    },
  });
  await editPlan(service.admin, "free", { requests_per_minute: 1, burst: 1 });
});
afterAll(() => service.close());

test("logs an internal fault before a request is priced, even if no unit is left and 429 is returned", async () => {
  const headers = { authorization: `Bearer ${await service.makeKey({ plan: "free" })}` };
  const seen: unknown[] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    const reply = await service.ask({ agent_id: 574 }, headers);
    const { error } = (await reply.json()) as { error: { code: string; request_id: string } };
    const find = () => service.lines.find((one) => one["request_id"] === error.request_id);
    await expect.poll(find).toMatchObject({ level: 50, err: { message: "the list of datasets is broken" } });
    seen.push([reply.status, error.code, find()?.["status"], find()?.["code"]]);
  }
  expect(seen).toEqual([
    [500, "INTERNAL", 500, "INTERNAL"],
    [429, "RATE_LIMITED", 429, "RATE_LIMITED"],
  ]);
});

test("does not log a caller's mistake as an error if no unit is left", async () => {
  const headers = { authorization: `Bearer ${await service.makeKey({ plan: "free" })}` };
  await service.ask("{", headers);
  const reply = await service.ask("{", headers);
  expect(reply.status).toBe(429);
  const { error } = (await reply.json()) as { error: { request_id: string } };
  const find = () => service.lines.find((one) => one["request_id"] === error.request_id);
  await expect.poll(find).toMatchObject({ level: 30, status: 429 });
});
