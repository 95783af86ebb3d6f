import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SAMPLE_PARAMS } from "../fixtures/sample-rows.ts";
import { openWorkerService, type Reply, type WorkerService } from "./worker-service.ts";

const WORKERS = 2;
let service: WorkerService;
beforeAll(async () => {
  service = await openWorkerService(WORKERS);
});
afterAll(() => service?.close());

test("workers report what needs busy control records as unavailable, as the owner does", async () => {
  const ask = (agentId: number): Promise<Reply[]> => {
    const body = { agent_id: agentId, params: SAMPLE_PARAMS[agentId] ?? {}, pagination: { limit: 3 } };
    return Promise.all([service.post(body), service.post(body), service.postToOwner(body)]);
  };
  // Every process knows the key from now on.
  expect((await ask(556)).map(({ status }) => status)).toEqual([200, 200, 200]);
  // The embedded records have one session: whoever else needs it gives up after ten seconds.
  const replies = await service.desk.db.transaction().execute(async (transaction) => {
    await sql`select 1`.execute(transaction);
    return await ask(596);
  });
  expect(replies.map(({ status, body: { error } }) => [status, (error as { code: string }).code])).toEqual(
    Array.from({ length: 3 }, () => [503, "UNAVAILABLE"]),
  );
});
