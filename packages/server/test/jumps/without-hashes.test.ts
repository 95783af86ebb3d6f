import { afterAll, beforeAll, expect, test } from "vitest";
import { fromDefinition } from "../../src/definition/sql.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { deriveAll } from "../fixtures/open-test-query.ts";
import { bookEvent, fill, table } from "../fixtures/sample-rows.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const changes = table("price_changes");
const change = (volume: string) => ({ resolution: "5m", bucket: "2026-06-01T10:00:00Z", token_id: "7", volume });
const read = (columns: string) =>
  store.rows<Record<string, string>>(fromDefinition(`SELECT ${columns} FROM price_changes FINAL ORDER BY bucket`));

test("stores price changes without a hash, and the newest row of a key counts", async () => {
  expect(await store.insert(changes, [change("1")])).toEqual({ stored: 1, known: 0 });
  expect(await store.insert(changes, [change("2")])).toEqual({ stored: 1, known: 0 });
  expect(await read("toString(volume) AS volume, toString(content) AS content")).toEqual([
    { volume: "2", content: "0" },
  ]);
});

test("stores derived minutes, hours and quotes without a hash", async () => {
  await store.insert(table("polymarket_fills"), [fill(1)]);
  await store.insert(table("book_events"), [bookEvent(0, 1, "snapshot", [["0.4", "10"]], [["0.6", "10"]])]);
  await deriveAll(store);
  for (const name of ["polymarket_candles_1m", "token_hours", "book_quotes_1m"]) {
    const text = `SELECT toString(count()) AS n, toString(max(content)) AS content FROM ${name}`;
    expect(await store.rows(fromDefinition(text)), name).toEqual([{ n: "1", content: "0" }]);
  }
});
