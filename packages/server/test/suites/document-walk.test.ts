import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { InsertRow } from "../../src/definition/table.ts";
import type { Store } from "../../src/store/store.ts";
import { openTestQuery, type Question } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { bookEvent, insertSamples, kalshiTrade, market, table, tokenId } from "../fixtures/sample-rows.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
/** Called right before the body of a document is rendered, after its rows are read. */
let meanwhile: () => Promise<unknown> = () => Promise.resolve();
let query: ReturnType<typeof openTestQuery>;
beforeAll(async () => {
  store = await openTestStore();
  await insertSamples(store);
  const changing: Store = {
    ...store,
    read: async (statement, reading) => {
      if (reading?.format === "CSVWithNames") await meanwhile();
      return store.read(statement, reading);
    },
  };
  query = openTestQuery(changing);
});
beforeEach(() => {
  meanwhile = () => Promise.resolve();
});
afterAll(() => store.close());

const trade = (second: number, id: string): InsertRow => ({
  ...kalshiTrade(0),
  ticker: "KXMARS-2",
  trade_id: id,
  created_time: `2026-09-27T10:00:${String(second).padStart(2, "0")}Z`,
});

const cellsOf = (line: string): string[] =>
  Array.from(line.matchAll(/"((?:[^"]|"")*)"|[^,]+/g), ([whole, quoted]) => quoted ?? whole);

/** The cells of one field over all pages. */
async function walk(agentId: number, field: string, question: Question): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await query.answer(agentId, {
      ...question,
      format: "csv",
      pagination: { ...question.pagination, ...(cursor === null ? {} : { cursor, offset: 0 }) },
    });
    const [head = [], ...rows] = page.body.toString("utf8").trim().split("\n").map(cellsOf);
    found.push(...rows.map((cells) => cells[head.indexOf(field)] ?? ""));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

describe("paging through documents while rows change after those of a page are read", () => {
  test("returns each trade once, with newer ones stored before every body", async () => {
    const ids = Array.from({ length: 9 }, (_, at) => `old-${9 - at}`);
    await store.insert(
      table("kalshi_trades"),
      ids.map((id, at) => trade(30 - 2 * at, id)),
    );
    let stored = 0;
    meanwhile = () => store.insert(table("kalshi_trades"), [trade(31 + stored, `new-${(stored += 1)}`)]);
    const requested = { params: { ticker: "KXMARS-2" }, pagination: { limit: 3 } };
    expect(await walk(573, "trade_id", requested)).toEqual(ids);
    expect(stored).toBe(3);
    meanwhile = () => store.insert(table("kalshi_trades"), [trade(50, "newest")]);
    const offset = { ...requested, pagination: { limit: 3, offset: stored + 3 } };
    expect(await walk(573, "trade_id", offset)).toEqual(ids.slice(3));
  });

  test("returns each trade once, with others stored among those of the page", async () => {
    const before = await walk(573, "trade_id", { params: { ticker: "KXMARS-2" }, pagination: { limit: 1000 } });
    meanwhile = () => store.insert(table("kalshi_trades"), [trade(29, "among")]);
    const seen = await walk(573, "trade_id", {
      params: { ticker: "KXMARS-2", end_time: "2026-09-27T10:00:30Z" },
      pagination: { limit: 3 },
    });
    const olds = before.filter((id) => id.startsWith("old"));
    expect(seen.filter((id) => id !== "among")).toEqual(olds);
    expect(seen.filter((id) => id === "among").length).toBeLessThan(2);
  });

  test("returns each market once, with those of the page dropping below it in the order", async () => {
    let cycle = 0;
    meanwhile = async () => {
      await store.insert(table("polymarket_markets"), [
        market(cycle * 30, { volume_total: "0.5" }),
        market(110 + cycle, { volume_total: String(5000 + cycle) }),
      ]);
      cycle += 1;
    };
    const slugs = await walk(574, "slug", { pagination: { limit: 30 } });
    expect(slugs).toEqual(Array.from({ length: 120 }, (_, index) => `rain-${index}`));
  });

  test("returns each state of a book once, with newer ones stored before every body", async () => {
    const requested = { params: { token_id: tokenId(0) }, pagination: { limit: 2 } };
    const timestamps = await walk(572, "timestamp", { ...requested, pagination: { limit: 100 } });
    let newer = 100;
    meanwhile = () => store.insert(table("book_events"), [bookEvent((newer += 10), 0, "change", [["0.1", "3"]], [])]);
    expect(await walk(572, "timestamp", requested)).toEqual(timestamps);
  });

  test("keeps a page empty that was empty when its keys were read", async () => {
    meanwhile = () => store.insert(table("kalshi_trades"), [{ ...trade(1, "late"), ticker: "KXMARS-3" }]);
    const page = await query.answer(573, { params: { ticker: "KXMARS-3" }, format: "csv" });
    expect(page).toMatchObject({ rowCount: 0, hasMore: false });
    expect(page.body.toString("utf8").trim().split("\n")).toEqual([expect.stringContaining("trade_id")]);
  });
});
