import type { InsertRow } from "../../src/definition/table.ts";
import { hex } from "../fixtures/sample-rows.ts";

const EVENT_AT = Date.UTC(2026, 10, 19, 11) / 1000;

/** A wallet's holding of a token after a day, in wallet_token_days. */
export const held = (
  wallet: number,
  token: string,
  shares: string,
  cost: string,
  change: InsertRow = {},
): InsertRow => ({
  wallet: hex(wallet, 40),
  day: "2026-11-19",
  token_id: token,
  condition_id: hex(1),
  first_at: EVENT_AT,
  last_at: EVENT_AT,
  ...Object.fromEntries(["buys", "sells", "maker_fills", "other_events"].map((name) => [name, 1])),
  ...Object.fromEntries(
    ["shares_bought", "bought_usd", "shares_sold", "sold_usd", "maker_usd", "fee_usd", "split_usd", "merged_usd"].map(
      (name) => [name, "0"],
    ),
  ),
  ...Object.fromEntries(
    [
      "redeemed_usd",
      "converted_usd",
      "shares_in",
      "shares_out",
      "unmatched_shares",
      "realized_usd",
      "realized_fifo_usd",
      "cash_usd",
      "position_pnl_usd",
      "position_bought_usd",
    ].map((name) => [name, "0"]),
  ),
  bought_usd_squared: 0,
  shares,
  cost_usd: cost,
  cost_fifo_usd: cost,
  lots: [],
  payout: null,
  position_opened_at: null,
  is_gone: false,
  ...change,
});
