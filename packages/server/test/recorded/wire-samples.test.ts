import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bookSession } from "../../src/connectors/polymarket/book/book-session.ts";
import { marketPageWire } from "../../src/connectors/polymarket/gamma/gamma-market-wire.ts";
import { marketRows } from "../../src/connectors/polymarket/gamma/market-rows.ts";
import type { TableRows } from "../../src/definition/connector.ts";
import { sql } from "../../src/definition/sql.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { polymarketTokens } from "../../src/tables/polymarket-tokens.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { BASEBALL } from "./baseball-markets.ts";
import { differences } from "./differences.ts";
import { baseballFill, toFillRow } from "./recorded-fills.ts";
import { jsonOf, linesOf, noRecordings, type RecordedRow } from "./recordings.ts";

type Opened = Awaited<ReturnType<typeof openTestStore>>;

const TIMESTAMPS = { start_date: "moment", end_date: "moment", closed_date: "moment", timestamp: "moment" } as const;

describe.skipIf(noRecordings)(`answers from recorded rows${noRecordings ? `: ${noRecordings}` : ""}`, () => {
  let store: Opened;
  let query: ReturnType<typeof openTestQuery>;

  const keep = async (parts: readonly TableRows[]): Promise<void> => {
    for (const { table, rows, mode } of parts) await store.insert(table, rows, mode);
    // By itself the store reloads its tokens at most once a second.
    await store.run(sql`SYSTEM RELOAD DICTIONARY polymarket_token_info`);
  };

  beforeAll(async () => {
    store = await openTestStore();
    query = openTestQuery(store);
  });
  afterAll(() => store.close());

  it("contain 1,030 markets (574) as the recorded service returned them", async () => {
    const recorded = jsonOf<{ markets: RecordedRow[] }>("polymarket/mlb/open_markets.json.gz").markets;
    const samples = jsonOf<RecordedRow[]>("wire-samples/574_rows.json");
    const page = marketPageWire.parse({ markets: [...recorded, ...samples].map(toGamma) });
    await keep(marketRows(page.markets, "2026-07-01T00:00:00Z").rows);
    const answered = new Map<unknown, RecordedRow>();
    for (const offset of [0, 1000]) {
      for (const row of await query.rows(574, { pagination: { limit: 1000, offset } })) {
        expect(answered.has(row["condition_id"])).toBe(false);
        answered.set(row["condition_id"], row);
      }
    }
    expect(samples).toHaveLength(20);
    expect(answered.size).toBe(new Set([...recorded, ...samples].map((row) => row["condition_id"])).size);
    expect(answered.size).toBeGreaterThanOrEqual(1030);
    for (const row of [...recorded, ...samples]) {
      expect(differences(row, answered.get(row["condition_id"]) ?? {}, TIMESTAMPS)).toEqual([]);
    }
  });

  it("contain 1,900 trades (556) of 82 wallets, complete and newest first, as the recorded service returned them", async () => {
    const recorded = linesOf(BASEBALL);
    const samples = jsonOf<RecordedRow[]>("wire-samples/556_rows.json");
    expect(recorded).toHaveLength(1900);
    await keep([
      { table: polymarketFills, rows: recorded.map((row, place) => toFillRow(baseballFill(row, place))) },
      { table: polymarketTokens, rows: recorded.map(toToken) },
    ]);
    const byId = new Map<unknown, RecordedRow>();
    const wallets = [...new Set(recorded.map((row) => String(row["proxy_wallet"])))];
    expect(wallets).toHaveLength(82);
    for (const wallet of wallets) {
      const answer = await query.answer(556, { params: { proxy_wallet: wallet }, pagination: { limit: 1000 } });
      const rows = JSON.parse(answer.body.toString("utf8")) as RecordedRow[];
      expect(answer.hasMore).toBe(false);
      expect(rows).toHaveLength(recorded.filter((row) => row["proxy_wallet"] === wallet).length);
      const timestamps = rows.map((row) => String(row["timestamp"]));
      expect(timestamps).toEqual(timestamps.toSorted().toReversed());
      for (const row of rows) byId.set(row["id"], row);
    }
    expect(byId.size).toBe(1900);
    expect(samples).toHaveLength(20);
    for (const row of [...recorded, ...samples]) {
      expect(differences(row, byId.get(row["id"]) ?? {}, TIMESTAMPS)).toEqual([]);
    }
  });

  it("contain order books (572) as the recorded service returned them, still as JSON in strings", async () => {
    const samples = linesOf("wire-samples/572_rows.jsonl");
    expect(samples).toHaveLength(3);
    for (const { season, ...row } of samples) {
      expect(typeof season).toBe("number");
      const token = String(row["token_id"]);
      const session = bookSession();
      session.subscribe([token]);
      await keep(session.adopt({ instrument: token, state: toBook(row) }, 0).rows);
      await keep([{ table: polymarketTokens, rows: [toToken({ ...row, outcome: "", slug: "" })] }]);
      const rows = await query.rows(572, { params: { token_id: token } });
      expect(rows).toHaveLength(1);
      expect(differences(row, rows[0] ?? {}, { ...TIMESTAMPS, asks: "json", bids: "json" })).toEqual([]);
    }
  });

  it("contain a book's state one millisecond after each recorded timestamp", async () => {
    const [first, ...others] = linesOf("polymarket/mlb/orderbook_snapshots_160_markets.jsonl.gz");
    const token = String(first?.["token_id"]);
    const books = [first, ...others.filter((row) => row["token_id"] === token)].toSorted(
      (a, b) => Date.parse(String(a?.["timestamp"])) - Date.parse(String(b?.["timestamp"])),
    );
    expect(books.length).toBeGreaterThan(10);
    const session = bookSession();
    session.subscribe([token]);
    for (const { bids, asks, ...row } of books as RecordedRow[]) {
      const state = toBook({ ...row, bids: JSON.stringify(bids), asks: JSON.stringify(asks) });
      await keep(session.adopt({ instrument: token, state }, 0).rows);
    }
    for (const book of books) {
      const timestamp = String(Date.parse(String(book?.["timestamp"])) + 1);
      const [row, ...more] = await query.rows(572, {
        params: { token_id: token, start_time: timestamp, end_time: timestamp },
      });
      expect(more).toEqual([]);
      for (const side of ["bids", "asks"] as const)
        expect(levelsOf(JSON.parse(String(row?.[side])))).toEqual(levelsOf(book?.[side]));
    }
  });
});

describe("the comparison with a recorded row", () => {
  const was = { price: 0.1, size: 2, label: "Yes", at: "2026-06-30T22:44:43Z", none: null, side: '[{"a": "1"}]' };

  it("ignores float noise, whitespace in JSON, additional decimals of a timestamp and additional fields", () => {
    const is = { ...was, price: 0.1 + 1e-17, at: "2026-06-30T22:44:43.000Z", side: '[{"a":"1"}]', ours: 1 };
    expect(differences(was, is, { at: "moment", side: "json" })).toEqual([]);
  });

  it.each([
    ["a missing field", { label: undefined }, "label is missing"],
    ["a string for a number", { price: "0.1" }, "price is string, was number"],
    ["another number", { price: 0.1000001 }, "price is 0.1000001, was 0.1"],
    ["a value for null", { none: "" }, "none is string, was null"],
    ["an array for JSON in a string", { side: [{ a: "1" }] }, "side is array, was string"],
    ["another second", { at: "2026-06-30T22:44:44Z" }, "at is 2026-06-30T22:44:44Z, was 2026-06-30T22:44:43Z"],
  ])("reports %s", (_name, change, problem) => {
    const is = Object.fromEntries(Object.entries({ ...was, ...change }).filter(([, value]) => value !== undefined));
    expect(differences(was, is, { at: "moment", side: "json" })).toEqual([problem]);
  });
});

/** Converts a recorded row to Gamma's format as far as possible: lists as JSON in strings, the volume as text. */
function toGamma(row: RecordedRow): RecordedRow {
  return {
    id: "1",
    conditionId: row["condition_id"],
    question: row["question"],
    slug: row["slug"],
    events: [{ id: "1", slug: row["event_slug"] }],
    startDate: row["start_date"],
    endDate: row["end_date"],
    closed: row["closed"],
    closedTime: row["closed_date"],
    volume: String(row["volume_total"]),
    outcomes: JSON.stringify([row["side_a_outcome"], row["side_b_outcome"]]),
    clobTokenIds: JSON.stringify([row["side_a_token_id"], row["side_b_token_id"]]),
  };
}

function toToken({ token_id, condition_id, outcome, slug }: RecordedRow): RecordedRow {
  return { token_id, condition_id, outcome_index: 255, outcome, slug };
}

/** Converts a recorded row to the format of CLOB's `/book`. */
function toBook(row: RecordedRow): RecordedRow {
  return {
    market: row["condition_id"],
    asset_id: row["token_id"],
    timestamp: String(Date.parse(String(row["timestamp"]))),
    hash: "",
    bids: JSON.parse(String(row["bids"])),
    asks: JSON.parse(String(row["asks"])),
  };
}

/** One side of a book sorted by price, whatever the order and number format of the input. */
function levelsOf(side: unknown): [number, number][] {
  const levels = side as { price: string; size: string }[];
  return levels.map(({ price, size }): [number, number] => [Number(price), Number(size)]).toSorted(([a], [b]) => a - b);
}
