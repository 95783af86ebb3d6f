import { Redis } from "ioredis";
import { sql } from "kysely";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { redisAbsence, startRedis, type TestRedis } from "../access/start-redis.ts";
import { SAMPLE_PARAMS } from "../fixtures/sample-rows.ts";
import { openWorkerService, type Reply, type WorkerService } from "./worker-service.ts";

const WORKERS = 2;
const absence = redisAbsence();
let redis: TestRedis | undefined;
let service: WorkerService;
beforeAll(async () => {
  redis = absence === undefined ? await startRedis() : undefined;
  service = await openWorkerService(WORKERS, redis && { REDIS_URL: redis.url });
});
afterAll(async () => {
  await service?.close();
  await redis?.stop();
});

test("workers report what needs busy control records as unavailable, as the owner does", async () => {
  const ask = (agentId: number): Promise<Reply[]> => {
    const body = { agent_id: agentId, params: SAMPLE_PARAMS[agentId] ?? {}, pagination: { limit: 3 } };
    return Promise.all([service.post(body), service.post(body), service.postToOwner(body)]);
  };
  // Every process knows the key from now on.
  expect((await ask(556)).map(({ status }) => status)).toEqual([200, 200, 200]);
  // The embedded records have one session: whoever else needs it gives up after ten seconds.
  const replies = await service.admin.db.transaction().execute(async (transaction) => {
    await sql`select 1`.execute(transaction);
    return await ask(596);
  });
  expect(replies.map(({ status, body: { error } }) => [status, (error as { code: string }).code])).toEqual(
    Array.from({ length: 3 }, () => [503, "UNAVAILABLE"]),
  );
});

test.skipIf(absence)("workers refuse the keys they knew once another process announces a change", async () => {
  const body = { agent_id: 556, params: SAMPLE_PARAMS[556] ?? {}, pagination: { limit: 3 } };
  const ask = async (): Promise<number[]> =>
    (await Promise.all(Array.from({ length: 2 * WORKERS }, () => service.post(body)))).map(({ status }) => status);
  expect(new Set(await ask())).toEqual(new Set([200]));
  const statuses = await service.admin.db.transaction().execute(async (transaction) => {
    await sql`select 1`.execute(transaction);
    // Longer than a look-up is reused: from now on the keys are known from before the records were busy.
    await sleep(1000);
    expect(new Set(await ask())).toEqual(new Set([200]));
    const other = new Redis(redis?.url ?? "");
    await other.publish("almanac:forget", "");
    other.disconnect();
    await sleep(200);
    return await ask();
  });
  expect(new Set(statuses)).toEqual(new Set([503]));
});
