import type { InsertRow } from "../../src/definition/table.ts";
import { UNKNOWN_OUTCOME } from "../../src/tables/polymarket-tokens.ts";
import { hex, market, tokenId } from "../fixtures/sample-rows.ts";

export const DAY = 86_400;
export const START = Date.UTC(2026, 10, 1) / 1000;
export const ANN = hex(0xa1, 40);
export const BOB = hex(0xb2, 40);
export const CAT = hex(0xc3, 40);
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Markets, named by what the catalogue reports about them. */
export const WON = 1;
export const HALVED = 2;
export const DISPUTED = 3;
export const LAST_TRADE = 4;
/** The outcomes of the tokens of this and the next market are unknown at first. */
export const UNPLACED = 5;
export const REDEEMED = 6;
export const conditionOf = (index: number): string => hex(index + 1);
export const yes = (index: number): string => tokenId(2 * index);

export const namesOf = (index: number): InsertRow[] =>
  [0, 1].map((outcome_index) => ({
    token_id: String(BigInt(yes(index)) + BigInt(outcome_index)),
    condition_id: conditionOf(index),
    outcome_index,
    outcome: outcome_index === 0 ? "Yes" : "No",
    slug: `rain-${index}`,
  }));
export const names = (): InsertRow[] => [
  ...[WON, HALVED, DISPUTED, LAST_TRADE].flatMap(namesOf),
  ...[UNPLACED, REDEEMED].flatMap(namesOf).map((row) => Object.assign({}, row, { outcome_index: UNKNOWN_OUTCOME })),
];

/** A hundred YES bought at 0.40 on the first day, as a maker and thus without a fee. */
export const bought = (index: number, wallet: string, change: InsertRow = {}): InsertRow => ({
  ts: START + 3600 + index,
  tx_hash: hex(500 + index),
  order_hash: hex(Number(BigInt(wallet)) * 100 + index),
  wallet,
  token_id: yes(index),
  side: "BUY",
  role: "maker",
  match_kind: "complementary",
  shares: "100",
  usd: "40",
  fee_usd: "0",
  block_number: 0,
  log_index: index,
  source: "data_api_v1",
  ...change,
});

/** A hundred YES redeemed for a hundred dollars, at noon of the given day (0: the first). */
export const redeemed = (index: number, wallet: string, day: number): InsertRow => ({
  ts: START + day * DAY + DAY / 2,
  tx_hash: hex(800 + index),
  block_number: 99,
  log_index: 1,
  kind: "redemption",
  wallet,
  stakeholder: wallet,
  is_inner: false,
  contract: "conditional_tokens",
  condition_id: conditionOf(index),
  market_id: hex(0),
  index_set: "1",
  amount: "100",
  usd_delta: "100",
  token_ids: [yes(index)],
  token_deltas: ["-100"],
});

/** The catalogue's row of a market that closed at noon of the third day. */
export const closed = (index: number, says: InsertRow): InsertRow =>
  market(index, {
    closed: true,
    closed_date: iso(START + 2 * DAY + DAY / 2),
    end_date: iso(START + 30 * DAY),
    side_b_price: "0.5",
    ...says,
  });

export const said = (index: number): InsertRow => {
  if (index === WON) return closed(index, { resolution_status: "resolved", payout_a: "1", side_a_price: "1" });
  if (index === HALVED) return closed(index, { resolution_status: "resolved", payout_a: "0.5" });
  if (index === DISPUTED) return closed(index, { resolution_status: "disputed", side_a_price: "0.999" });
  // No result from the oracle, and a price that may be that of the last trade.
  return closed(index, { payout_a: "1", side_a_price: "0.992", side_b_price: "0.008" });
};

/** The chain's resolution of a market: YES lost (or `payouts`), at noon of the given day (0: the first). */
export const reported = (index: number, day: number, payouts: readonly string[] = ["0", "1"]): InsertRow => ({
  ts: START + day * DAY + DAY / 2,
  tx_hash: hex(900 + index),
  log_index: 1,
  condition_id: conditionOf(index),
  oracle: hex(1, 40),
  question_id: hex(3),
  payout_numerators: payouts,
  payouts,
  block_number: 77,
});
