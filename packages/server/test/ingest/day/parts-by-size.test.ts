import { afterAll, beforeAll, expect, test } from "vitest";
import { bind, sql } from "../../../src/definition/sql.ts";
import { partsBySize } from "../../../src/ingest/day/derive-days.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

test("groups days up to a total size of a million, keeps larger days alone, and days of no size with others", async () => {
  const sizes: Readonly<Record<string, string>> = {
    "2026-06-01": "600000",
    "2026-06-02": "400000",
    "2026-06-03": "1",
    "2026-06-05": "3000000",
    "2026-06-07": "1000000",
  };
  const days = Array.from({ length: 7 }, (_, index) => `2026-06-0${index + 1}`);
  const found = await partsBySize(
    () =>
      sql`SELECT each.1 AS day, each.2 AS size FROM (SELECT arrayJoin(arrayZip(${bind("Array(String)", Object.keys(sizes))}, ${bind("Array(String)", Object.values(sizes))})) AS each)`,
    days,
    store,
  );
  expect(found).toEqual([
    ["2026-06-01", "2026-06-02"],
    ["2026-06-03", "2026-06-04"],
    ["2026-06-05"],
    ["2026-06-06", "2026-06-07"],
  ]);
  expect(await partsBySize(() => sql`SELECT 1`, [], store)).toEqual([]);
});
