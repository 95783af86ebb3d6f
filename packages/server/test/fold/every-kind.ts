import type { InsertRow } from "../../src/definition/table.ts";
import { hex, market, tokenId } from "../fixtures/sample-rows.ts";

/** Wallets' ledgers with rows of every kind, by day of a week. */
const DAY = 86_400;
export const FIRST_DAY = "2026-11-01";
const START = Date.parse(FIRST_DAY) / 1000;
export const ANN = hex(0xa1, 40);
export const BOB = hex(0xb2, 40);
/** Markets: one paid out by halves, one that YES loses, and two of which the NO of one becomes the YES of the other. */
const [HALVED, LOST, ONE, OTHER] = [0, 1, 2, 3] as const;
const yes = (index: number): string => tokenId(2 * index);
const no = (index: number): string => tokenId(2 * index + 1);

let events = 0;
const at = (day: number): InsertRow => {
  events += 1;
  const ts = START + day * DAY + 600 * events;
  return { ts, tx_hash: hex(events), block_number: 1000 + 100 * day + events, log_index: 1 };
};

const fill = (day: number, side: "BUY" | "SELL", token_id: string, shares: number, price: number, fee = 0) => ({
  ...at(day),
  order_hash: hex(5000 + events),
  wallet: ANN,
  token_id,
  side,
  role: fee === 0 ? "maker" : "taker",
  match_kind: "complementary",
  shares: String(shares),
  usd: (shares * price).toFixed(6),
  fee_usd: String(fee),
  source: "chain_v2",
});

const change = (
  day: number,
  kind: string,
  index: number,
  usd: number,
  deltas: Readonly<Record<string, number>>,
): InsertRow => ({
  ...at(day),
  kind,
  wallet: ANN,
  stakeholder: ANN,
  is_inner: false,
  contract: kind === "conversion" ? "neg_risk_adapter" : "conditional_tokens",
  condition_id: kind === "conversion" ? hex(0) : hex(index + 1),
  market_id: hex(kind === "conversion" ? 5 : 0),
  index_set: kind === "conversion" ? "1" : "0",
  amount: "1",
  usd_delta: String(usd),
  token_ids: Object.keys(deltas),
  token_deltas: Object.values(deltas).map(String),
});

const transfer = (
  day: number,
  from_wallet: string,
  to_wallet: string,
  token_id: string,
  shares: string,
): InsertRow => ({
  ...at(day),
  place: 0,
  operator: from_wallet,
  from_wallet,
  to_wallet,
  token_id,
  shares,
});

const resolution = (day: number, index: number, payouts: readonly string[]): InsertRow => ({
  ...at(day),
  condition_id: hex(index + 1),
  oracle: hex(1, 40),
  question_id: hex(3),
  payout_numerators: payouts.map((payout) => String(2 * Number(payout))),
  payouts,
});

/** Rows by table; each is later than the rows of the same day above it. */
export const everyKind = (): Readonly<Record<string, readonly InsertRow[]>> => ({
  polymarket_markets: [HALVED, LOST, ONE, OTHER].map((index) => market(index)),
  polymarket_tokens: [HALVED, LOST, ONE, OTHER].flatMap((index) =>
    [0, 1].map((outcome_index) => ({
      token_id: outcome_index === 0 ? yes(index) : no(index),
      condition_id: hex(index + 1),
      outcome_index,
      outcome: "",
      slug: `rain-${index}`,
    })),
  ),
  polymarket_fills: [
    fill(0, "BUY", yes(HALVED), 50, 0.413, 0.1),
    fill(1, "SELL", no(HALVED), 60, 0.45),
    fill(2, "BUY", yes(LOST), 200, 0.3),
    fill(2, "BUY", no(LOST), 50.5, 0.617, 0.123456),
    fill(3, "BUY", no(ONE), 40, 0.7, 0.2),
    fill(5, "SELL", yes(OTHER), 10, 0.9),
    fill(6, "SELL", yes(HALVED), 20, 0.6, 0.05),
  ],
  polymarket_position_changes: [
    change(0, "split", HALVED, -100, { [yes(HALVED)]: 100, [no(HALVED)]: 100 }),
    change(1, "merge", HALVED, 20, { [yes(HALVED)]: -20, [no(HALVED)]: -20 }),
    change(3, "conversion", ONE, 0, { [no(ONE)]: -40, [yes(OTHER)]: 40 }),
    change(5, "redemption", LOST, 50.5, { [yes(LOST)]: -200, [no(LOST)]: -50.5 }),
  ],
  polymarket_transfers: [transfer(1, ANN, BOB, yes(HALVED), "10"), transfer(2, BOB, ANN, yes(HALVED), "4")],
  polymarket_resolutions: [resolution(4, LOST, ["0", "1"]), resolution(6, HALVED, ["0.5", "0.5"])],
});
