import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { InsertRow } from "../../src/definition/table.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { hex, market, table } from "../fixtures/sample-rows.ts";

const NOW = Date.UTC(2026, 6, 1);
const token = (index: number): string => String(5000 + index);
const at = (text: string): number => Date.parse(`${text}Z`) / 1000;

/** A move up at the daily resolution, from the start of the first day to the end of the last. */
const move = (index: number, first: string, last: string, after: string): InsertRow => ({
  resolution: "1d",
  bucket: at(last),
  token_id: token(index),
  close: after,
  previous_close: "0.5",
  change_pct: ((Number(after) / 0.5 - 1) * 100).toFixed(6),
  volume: "10",
  trade_count: 2,
  volume_ratio: 1,
  is_reverted: false,
  jump_at: at(first),
  jump_before: "0.5",
  jump_after: after,
  jump_volume: "10",
  jump_trades: 2,
  jump_volume_ratio: 1,
  statistic: 20,
  p_value: 1e-9,
  window_buckets: 90,
  is_peak: true,
  is_jump_reverted: false,
  is_gone: false,
});

const ended = (index: number, change: InsertRow): InsertRow =>
  market(index, { condition_id: hex(900 + index), side_a_token_id: token(index), side_b_token_id: "0", ...change });

const [RESULT, WRONG, ACROSS, EARLY, GAME, STOPPED, OVERRULED, LONG_CLOSED, LONG_RESOLVED] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
];
const DAY = "2026-06-01T00:00:00";

let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;
beforeAll(async () => {
  store = await openTestStore();
  query = openTestQuery(store, () => NOW);
  await store.insert(table("price_changes"), [
    move(RESULT, DAY, DAY, "0.99"),
    move(WRONG, DAY, DAY, "0.99"),
    move(ACROSS, "2026-05-30T00:00:00", "2026-06-02T00:00:00", "0.7"),
    move(EARLY, DAY, DAY, "0.7"),
    move(GAME, DAY, DAY, "0.7"),
    move(STOPPED, DAY, DAY, "0.99"),
    move(OVERRULED, DAY, DAY, "0.99"),
    move(LONG_CLOSED, "2026-06-30T00:00:00", "2026-06-30T00:00:00", "0.7"),
    move(LONG_RESOLVED, "2026-06-30T00:00:00", "2026-06-30T00:00:00", "0.7"),
  ]);
  const closed = { closed: true, resolution_status: "resolved", closed_date: at("2026-06-02T02:00:00") };
  await store.insert(table("polymarket_markets"), [
    ended(RESULT, { ...closed, payout_a: "1" }),
    ended(WRONG, { ...closed, payout_a: "0" }),
    ended(ACROSS, { ...closed, payout_a: "1" }),
    ended(EARLY, { closed: true, closed_date: at("2026-06-05T02:00:00"), payout_a: "1" }),
    ended(GAME, { event_start: at("2026-05-10T00:00:00") }),
    // It was never reported as resolved: 0.99 may be a last trade.
    ended(STOPPED, { ...closed, resolution_status: "", payout_a: "1", side_a_price: "0.99" }),
    ended(OVERRULED, { ...closed, payout_a: "1" }),
    ended(LONG_CLOSED, { ...closed, payout_a: "1" }),
    ended(LONG_RESOLVED, {}),
  ]);
  // The chain paid otherwise than the catalogue says.
  const onChain = [OVERRULED, LONG_RESOLVED];
  await store.insert(
    table("polymarket_tokens"),
    onChain.map((index) => ({
      token_id: token(index),
      condition_id: hex(900 + index),
      outcome_index: 0,
      outcome: "",
      slug: "",
    })),
  );
  await store.insert(
    table("polymarket_resolutions"),
    onChain.map((index) => ({
      ts: at("2026-06-02T05:00:00"),
      tx_hash: hex(1 + index),
      log_index: 1,
      condition_id: hex(900 + index),
      oracle: hex(1, 40),
      question_id: hex(3),
      payout_numerators: ["0", "1"],
      payouts: ["0", "1"],
      block_number: 1,
    })),
  );
});
afterAll(() => store.close());

const movesOf = async (method: string, from: string, to: string): Promise<number[]> => {
  const params = { method, resolution: "1d", start_time: from, end_time: to, min_change_pct: "1" };
  const rows = await query.rows(596, { params });
  return rows.map((row) => Number(row["token_id"]) - 5000).sort((a, b) => a - b);
};

describe("at the daily resolution", () => {
  test("excludes a jump to the payout if its day ends within the last day before the close, in both methods; the chain's payout applies before the catalogue's", async () => {
    expect(await movesOf("robust", "2026-05-29", "2026-06-03")).toEqual([WRONG, EARLY, STOPPED, OVERRULED]);
    expect(await movesOf("candle", "2026-06-01", "2026-06-01")).toEqual([WRONG, EARLY, GAME, STOPPED, OVERRULED]);
  });

  test("excludes a move that ends after the close, wherever it began", async () => {
    expect(await movesOf("robust", "2026-05-30", "2026-05-30")).toEqual([]);
  });

  test("excludes a move long after the close or the resolution", async () => {
    for (const method of ["robust", "candle"]) expect(await movesOf(method, "2026-06-30", "2026-06-30")).toEqual([]);
  });

  test("applies the event-start rule over its full reach, whatever range is requested", async () => {
    expect(await movesOf("robust", "2026-06-01", "2026-06-01")).toEqual([WRONG, EARLY, STOPPED, OVERRULED]);
    expect(await movesOf("robust", "2026-05-01", "2026-06-30")).toEqual([WRONG, EARLY, STOPPED, OVERRULED]);
  });
});
