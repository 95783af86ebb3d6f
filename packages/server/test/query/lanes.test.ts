import { afterAll, beforeAll, expect, test } from "vitest";
import { fromDefinition, sql } from "../../src/definition/sql.ts";
import type { Lane } from "../../src/store/lanes.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";

/** More statements than a lane has connections. */
const MANY = 40;
const SECONDS = 2;

let store: OpenStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const slow = (lane: Lane): Promise<unknown>[] =>
  Array.from({ length: MANY }, () => store.read(fromDefinition(`SELECT sleep(${SECONDS})`), { lane }));

const took = async (lane: Lane): Promise<number> => {
  const began = performance.now();
  await store.read(sql`SELECT 1`, { lane });
  return performance.now() - began;
};

test("a full lane does not block the others", async () => {
  const questions = slow("questions");
  const work = slow("work");
  expect(await took("readiness")).toBeLessThan(1_000);
  expect(await took("questions")).toBeGreaterThan(1_000);
  await Promise.all([...questions, ...work]);
});
