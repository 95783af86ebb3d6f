import { appendRows } from "../fixtures/append-rows.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import type { Store } from "../../src/store/store.ts";
import { deriveAll } from "../fixtures/open-test-query.ts";
import { hex, market, table, tokenId } from "../fixtures/sample-rows.ts";
import { held } from "./held.ts";

export const NOW = Date.UTC(2026, 10, 20, 12, 30);
export const HOUR = 3_600_000;
const [YES, NO] = [tokenId(0), tokenId(1)];
export const OPEN = hex(1);
export const RESOLVED = hex(2);

let fills = 0;

/** One match at one price: the taker's fill and the maker's. */
const match = (
  hoursAgo: number,
  { token = YES, price = 0.5, shares = 10, taker = 1, maker = 2, kind = "complementary" } = {},
): InsertRow[] => {
  fills += 2;
  const isMint = kind === "mint";
  const shared = {
    ts: (NOW - hoursAgo * HOUR) / 1000,
    tx_hash: hex(1000 + fills),
    match_kind: kind,
    source: "chain_v2",
  };
  const leg = (change: InsertRow): InsertRow => ({ ...shared, shares: String(shares), fee_usd: "0", ...change });
  const [other, otherPrice] = isMint ? [token === YES ? NO : YES, 1 - price] : [token, price];
  return [
    leg({
      order_hash: hex(fills),
      wallet: hex(taker, 40),
      token_id: token,
      side: "BUY",
      role: "taker",
      usd: (price * shares).toFixed(6),
      block_number: fills,
      log_index: 2,
    }),
    leg({
      order_hash: hex(fills + 1),
      wallet: hex(maker, 40),
      token_id: other,
      side: isMint ? "BUY" : "SELL",
      role: "maker",
      usd: (otherPrice * shares).toFixed(6),
      block_number: fills,
      log_index: 1,
    }),
  ];
};

const book = (hoursAgo: number, seq: number, kind: string, bids: string[][], asks: string[][]): InsertRow => ({
  instrument: YES,
  ts: new Date(NOW - hoursAgo * HOUR).toISOString(),
  seq,
  kind,
  venue: "polymarket",
  bids,
  asks,
  best_bid: null,
  best_ask: null,
  hash: "",
});

/** Two markets with full data, and four that only count in the liquidity ranking. */
export async function fillMarketWorld(store: Store): Promise<void> {
  await store.insert(table("polymarket_markets"), [
    market(0, {
      condition_id: OPEN,
      closed: false,
      start_date: new Date(NOW - 12 * HOUR).toISOString(),
      liquidity: "50",
    }),
    market(1, {
      condition_id: RESOLVED,
      closed: true,
      closed_date: new Date(NOW - 2 * HOUR).toISOString(),
      resolution_status: "resolved",
      payout_a: "1",
      liquidity: "0",
    }),
    ...[2, 3, 4, 5].map((index) =>
      market(index, { condition_id: hex(index + 1), closed: false, liquidity: String(index * 10) }),
    ),
  ]);
  await store.insert(table("polymarket_fills"), [
    ...match(0.1, { price: 0.5 }),
    ...match(0.2, { price: 0.5, taker: 3, kind: "mint" }),
    ...match(23.4, { price: 0.4 }),
    ...match(23.6, { price: 0.6, shares: 100 }),
    ...match(50, { price: 0.2, token: NO, taker: 4 }),
    ...match(167.4, { price: 0.3, taker: 5 }),
    ...match(168.6, { price: 0.9, taker: 6, shares: 1000 }),
    ...match(3, { price: 0.8, token: tokenId(2) }),
    ...match(4, { price: 0.6, token: tokenId(2) }),
    ...match(1, { price: 0.1, token: tokenId(2) }),
  ]);
  await deriveAll(store);
  await store.insert(
    table("token_days"),
    [YES, NO].map((token_id, at) => ({
      token_id,
      day: "2026-11-20",
      trade_close: null,
      mid_close: null,
      mark: at === 0 ? "0.6" : "0.4",
      volume_usd: "0",
      trade_count: 0,
    })),
  );
  await store.insert(table("wallet_token_days"), [
    held(1, YES, "60", "30", { realized_usd: "5", fee_usd: "1" }),
    held(1, YES, "90", "45", { day: "2026-11-18" }),
    held(2, NO, "30", "15"),
    held(3, YES, "0", "0", { realized_usd: "-10" }),
    held(4, NO, "10", "1", { is_gone: true }),
    held(5, YES, "10", "8"),
    held(6, tokenId(2), "40", "40", { realized_usd: "30", payout: "1", condition_id: RESOLVED }),
  ]);
  const day = "2026-11-20";
  await appendRows(
    store,
    table("wallet_patterns"),
    [2, 3].map((wallet) => ({
      day,
      wallet: hex(wallet, 40),
      pattern: "wash",
      score: 60,
      cluster: hex(2, 40),
      cluster_size: 2,
      n: 9,
      share: 1,
      base_rate: 0,
      parts: "{}",
      is_gone: false,
      version: "1",
    })),
  );
  const pair = { kind: "match", n: 1, up: 0, expected: 0, is_gone: false, version: "1", condition_id: OPEN };
  await appendRows(store, table("wallet_pair_days"), [
    { ...pair, day, wallet_a: hex(2, 40), wallet_b: hex(3, 40), usd: "15" },
    { ...pair, day, wallet_a: hex(2, 40), wallet_b: hex(5, 40), usd: "30" },
    { ...pair, day: "2026-11-13", wallet_a: hex(2, 40), wallet_b: hex(3, 40), usd: "1" },
  ]);
  await store.insert(table("book_events"), [
    book(30, 0, "snapshot", [["0.01", "1"]], [["0.99", "1"]]),
    book(
      2,
      0,
      "snapshot",
      [
        ["0.57", "100"],
        ["0.58", "100"],
      ],
      [
        ["0.64", "5000"],
        ["0.62", "500"],
      ],
    ),
    book(
      1,
      0,
      "change",
      [
        ["0.58", "0"],
        ["0.59", "200"],
      ],
      [],
    ),
    book(1, 1, "change", [["0.50", "4000"]], [["0.61", "50"]]),
  ]);
}
