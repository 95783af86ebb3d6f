import type { InsertRow } from "../../../definition/table.ts";
import { UNKNOWN_OUTCOME } from "../../../tables/polymarket-tokens.ts";
import type { DataTrade } from "./data-trade.ts";

/** Rows of polymarket_tokens: what trades tell of the market of their tokens. */
export function tokenRows(trades: readonly DataTrade[]): InsertRow[] {
  const byToken = new Map(trades.map((trade) => [trade.token_id, trade]));
  return [...byToken.values()].map(({ token_id, condition_id, outcome_index, outcome, slug }) => ({
    token_id,
    condition_id,
    outcome_index: outcome_index ?? UNKNOWN_OUTCOME,
    outcome,
    slug,
  }));
}
