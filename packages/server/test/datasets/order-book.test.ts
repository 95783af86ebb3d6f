import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bookEvents } from "../../src/tables/book-events.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { bookEvent, tokenId } from "../fixtures/sample-rows.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;

const EVENTS = [
  bookEvent(
    0,
    0,
    "snapshot",
    [
      ["0.4", "10"],
      ["0.5", "20"],
    ],
    [
      ["0.7", "1"],
      ["0.6", "2"],
    ],
  ),
  bookEvent(10, 0, "change", [], [["0.6", "3.5"]]),
  bookEvent(20, 0, "snapshot", [["0.3", "1"]], []),
  bookEvent(30, 0, "change", [], [["0.9", "100"]]),
  bookEvent(40, 0, "snapshot", [], []),
];

beforeAll(async () => {
  store = await openTestStore();
  query = openTestQuery(store);
  const ofKalshi = EVENTS.map((event) => ({ ...event, instrument: "KXMARS-1", venue: "kalshi" }));
  await store.insert(bookEvents, [...EVENTS, ...ofKalshi]);
});
afterAll(() => store.close());

describe.each([
  [572, { token_id: tokenId(0) }],
  [1102, { ticker: "KXMARS-1" }],
])("the books of %i", (agentId, instrument) => {
  const shown = async (depth: string) =>
    (await query.rows(agentId, { params: { ...instrument, depth } }))
      .toReversed()
      .map((row) => [row["micro_price"], row["imbalance"]]);

  test("give the micro-price of the best levels and the imbalance of all", async () => {
    expect(await shown("ALL")).toEqual([
      // (0.5 · 2 + 0.6 · 20) / 22 and (4 + 10 − 0.7 − 1.2) / 15.9
      ["0.590909", "0.761006"],
      // (0.5 · 3.5 + 0.6 · 20) / 23.5 and (14 − 0.7 − 2.1) / 16.8
      ["0.585106", "0.666667"],
      [null, "1.000000"],
      // (0.3 · 100 + 0.9 · 1) / 101 and (0.3 − 90) / 90.3
      ["0.305941", "-0.993355"],
      [null, null],
    ]);
  });

  test("give the imbalance of the levels that are shown", async () => {
    const found = await shown("1");
    // (10 − 1.2) / 11.2
    expect(found[0]).toEqual(["0.590909", "0.785714"]);
    // (10 − 2.1) / 12.1
    expect(found[1]).toEqual(["0.585106", "0.652893"]);
  });
});
