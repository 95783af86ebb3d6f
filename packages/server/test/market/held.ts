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
  buys: 1,
  sells: 1,
  shares_bought: "0",
  bought_usd: "0",
  fee_usd: "0",
  realized_usd: "0",
  shares,
  cost_usd: cost,
  payout: null,
  is_gone: false,
  ...change,
});
