import { afterAll, beforeAll, expect, test } from "vitest";
import { fromDefinition } from "../../src/definition/sql.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { table } from "../fixtures/sample-rows.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const changes = table("price_changes");
const change = (volume: string) => ({ resolution: "5m", bucket: "2026-06-01T10:00:00Z", token_id: "7", volume });
const read = (columns: string) =>
  store.rows<Record<string, string>>(fromDefinition(`SELECT ${columns} FROM price_changes FINAL ORDER BY bucket`));

test("changes of prices are stored as they come, the newest of a key holds, and no hash is kept", async () => {
  expect(await store.insert(changes, [change("1")])).toEqual({ stored: 1, known: 0 });
  expect(await store.insert(changes, [change("2")])).toEqual({ stored: 1, known: 0 });
  expect(await read("toString(volume) AS volume, toString(content) AS content")).toEqual([
    { volume: "2", content: "0" },
  ]);
});
