import { examplesOf } from "../../src/definition/example-values.ts";
import { expect, test } from "vitest";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { datasets } from "../../src/catalogue.ts";
import { sql } from "../../src/definition/sql.ts";
import { market, table } from "../fixtures/sample-rows.ts";

test("caches a page from its second request on with the snapshot of its walk, and then does not query the engine", async () => {
  const store = await openTestStore();
  const insert = (index: number, volume_total: string): Promise<unknown> =>
    store.insert(table("polymarket_markets"), [market(index, { volume_total })]);
  await insert(1, "30");
  await insert(2, "20");
  await insert(3, "10");
  let statements = 0;
  const { answer } = openTestQuery({
    ...store,
    read: (...requested) => {
      statements += 1;
      return store.read(...requested);
    },
    rows: (...requested) => {
      statements += 1;
      return store.rows(...requested);
    },
  });
  const requested = async () => {
    const before = statements;
    const { nextCursor, etag } = await answer(574, { pagination: { limit: 2 } });
    return { statements: statements - before, nextCursor, etag };
  };
  const first = await requested();
  const second = await requested();
  const third = await requested();
  expect([first, second, third].map((each) => each.statements)).toEqual([2, 2, 0]);
  expect(third).toEqual({ ...second, statements: 0 });
  await insert(4, "25");
  const changed = await requested();
  expect(changed.statements).toBe(2);
  expect(changed.nextCursor).not.toBe(third.nextCursor);
  const rest = await answer(574, { pagination: { limit: 2, cursor: third.nextCursor } });
  expect(rest.rowCount).toBe(1);
  await store.close();
});

test("keeps an answer that does not depend on the time until a table changes, if there is no other writer", async () => {
  const store = await openTestStore();
  await store.insert(table("polymarket_markets"), [market(1)]);
  let [statements, unchangedMs, now] = [0, 60_000, Date.parse("2026-11-25T12:00:00Z")];
  const read: typeof store.read = (...requested) => {
    statements += 1;
    return store.read(...requested);
  };
  const { answer } = openTestQuery(
    { ...store, read, unchangedMs: () => unchangedMs },
    () => now,
    undefined,
    false,
    undefined,
    { isAlone: true },
  );
  const requestedAgain = async (agentId: number): Promise<number> => {
    const [example] = datasets.filter((dataset) => dataset.agentId === agentId).flatMap((one) => examplesOf(one));
    const question = { params: example?.params ?? {} };
    for (let turn = 0; turn < 2; turn += 1) await answer(agentId, question);
    now += 60_000;
    const before = statements;
    await answer(agentId, question);
    return statements - before;
  };
  expect([await requestedAgain(574), await requestedAgain(579), await requestedAgain(585)]).toEqual([0, 0, 1]);
  await store.run(sql`SELECT 1`);
  unchangedMs = 0;
  // The board is in memory, so the engine is not queried if no wallet's day changed.
  expect([await requestedAgain(574), await requestedAgain(579)]).toEqual([1, 0]);
  await store.close();
});

test("does not keep an answer beyond its second where others write if the clock is set back", async () => {
  const store = await openTestStore();
  await store.insert(table("polymarket_markets"), [market(1)]);
  let now = Date.parse("2026-11-25T12:00:00Z");
  // This process does not learn what others store.
  const { answer } = openTestQuery({ ...store, stampOf: () => 0 }, () => now);
  const count = async (): Promise<number> => (await answer(574)).rowCount;
  expect([await count(), await count()]).toEqual([1, 1]);
  await store.insert(table("polymarket_markets"), [market(2)]);
  now -= 3_600_000;
  expect(await count()).toBe(2);
  await store.close();
});
