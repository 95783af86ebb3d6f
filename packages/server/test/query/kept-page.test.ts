import { expect, test } from "vitest";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { market, table } from "../fixtures/sample-rows.ts";

test("a page is kept from its second asking on with the snapshot of its walk, and asks the engine nothing", async () => {
  const store = await openTestStore();
  const insert = (index: number, volume_total: string): Promise<unknown> =>
    store.insert(table("polymarket_markets"), [market(index, { volume_total })]);
  await insert(1, "30");
  await insert(2, "20");
  await insert(3, "10");
  let statements = 0;
  const { answer } = openTestQuery({
    ...store,
    read: (...asked) => {
      statements += 1;
      return store.read(...asked);
    },
    rows: (...asked) => {
      statements += 1;
      return store.rows(...asked);
    },
  });
  const asked = async () => {
    const before = statements;
    const { nextCursor, etag } = await answer(574, { pagination: { limit: 2 } });
    return { statements: statements - before, nextCursor, etag };
  };
  const first = await asked();
  const second = await asked();
  const third = await asked();
  expect([first, second, third].map((each) => each.statements)).toEqual([2, 2, 0]);
  expect(third).toEqual({ ...second, statements: 0 });
  await insert(4, "25");
  const changed = await asked();
  expect(changed.statements).toBe(2);
  expect(changed.nextCursor).not.toBe(third.nextCursor);
  const rest = await answer(574, { pagination: { limit: 2, cursor: third.nextCursor } });
  expect(rest.rowCount).toBe(1);
  await store.close();
});
