import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { InsertRow } from "../../src/definition/table.ts";
import { bookEvents } from "../../src/tables/book-events.ts";
import { once } from "../fixtures/once.ts";
import { openServedQuery } from "../fixtures/open-served-query.ts";
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
])("order books of %i", (agentId, instrument) => {
  const shown = async (depth: string) =>
    (await query.rows(agentId, { params: { ...instrument, depth } }))
      .toReversed()
      .map((row) => [row["micro_price"], row["imbalance"]]);

  test("give the micro-price of the best levels and the imbalance of all levels", async () => {
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

  test("give the imbalance of the returned levels", async () => {
    const found = await shown("1");
    // (10 − 1.2) / 11.2
    expect(found[0]).toEqual(["0.590909", "0.785714"]);
    // (10 − 2.1) / 12.1
    expect(found[1]).toEqual(["0.585106", "0.652893"]);
  });
});

const rowsOf = ({ body }: { body: Buffer }) => JSON.parse(body.toString("utf8")) as Record<string, unknown>[];
const best = (row: Record<string, unknown>): unknown =>
  (JSON.parse(String(row["bids"])) as { size: string }[])[0]?.size;

const lastOf = (timestamp: number): string => `${timestamp + 1}.${timestamp % 3}1`;

describe("a book with several events in one millisecond", () => {
  const TIMESTAMPS = 8;
  const served = once(() => openServedQuery(store, Date.now));
  beforeAll(async () => {
    const events = Array.from({ length: TIMESTAMPS }, (_, timestamp) =>
      Array.from({ length: 1 + (timestamp % 3) }, (_one, seq) =>
        // The last event's bid size encodes its timestamp and its sequence number within that millisecond.
        bookEvent(
          timestamp * 7,
          seq,
          timestamp === 0 && seq === 0 ? "snapshot" : "change",
          [["0.5", `${timestamp + 1}.${seq}1`]],
          [],
        ),
      ),
    ).flat();
    for (const own of [{ instrument: tokenId(5) }, { instrument: "KXMANY", venue: "kalshi" }]) {
      const rows: InsertRow[] = [];
      for (const event of events) rows.push({ ...event, ...own });
      await store.insert(bookEvents, rows);
    }
  });
  afterAll(async () => (await served()).close());

  const EXPECTED = Array.from({ length: TIMESTAMPS }, (_, timestamp) => lastOf(timestamp)).toReversed();

  describe.each([
    [572, { token_id: tokenId(5) }],
    [1102, { ticker: "KXMANY" }],
  ])("agent_id %i", (agentId, params) => {
    describe.each(["engine", "index"])("answered by the %s", (by) => {
      const ask = async (requested: Record<string, unknown>) =>
        (by === "engine" ? openTestQuery(store) : await served()).answer(agentId, { params, ...requested });

      test("has one row per timestamp, from its last event", async () => {
        const rows = rowsOf(await ask({}));
        expect(rows.map(best)).toEqual(EXPECTED);
        expect(new Set(rows.map((row) => row["timestamp"])).size).toBe(TIMESTAMPS);
        expect(rows.map((row) => row["sequence"])).toEqual(EXPECTED.map((_, at) => (TIMESTAMPS - 1 - at) % 3));
      });

      test.each([1, 2, 3, 7])("returns each timestamp once by cursor and by offset, in pages of %i", async (limit) => {
        const [walked, passed]: [unknown[], unknown[]] = [[], []];
        let cursor: string | null = null;
        do {
          const page = await ask({ pagination: { limit, ...(cursor === null ? {} : { cursor }) } });
          walked.push(...rowsOf(page).map(best));
          cursor = page.nextCursor;
          expect(page.hasMore).toBe(walked.length < TIMESTAMPS);
        } while (cursor !== null);
        for (let offset = 0; offset < TIMESTAMPS; offset += limit)
          passed.push(...rowsOf(await ask({ pagination: { limit, offset } })).map(best));
        expect([walked, passed]).toEqual([EXPECTED, EXPECTED]);
      });

      test("returns the state after the last event of a requested timestamp", async () => {
        const at = String(rowsOf(await ask({}))[2]?.["timestamp"]);
        const [row, ...others] = rowsOf(await ask({ params: { ...params, start_time: at, end_time: at } }));
        expect([row && best(row), others]).toEqual([EXPECTED[2], []]);
        const next = await ask({ params: { ...params, start_time: at, end_time: at }, pagination: { offset: 1 } });
        expect([rowsOf(next), next.hasMore]).toEqual([[], false]);
      });
    });
  });
});
