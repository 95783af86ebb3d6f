import { expect, test } from "vitest";
import { hex, market, tokenId } from "../fixtures/sample-rows.ts";
import { fillRow } from "../ingest/fill-rows.ts";
import { numbersOf, openFolded } from "./open-folded.ts";

const [ANN, YES] = [hex(0xa1, 40), tokenId(0)];

const fill = (log_index: number, side: "BUY" | "SELL", usd: string) => ({
  ...fillRow(log_index, Date.parse("2026-03-01") / 1000 + 60 * log_index),
  log_index,
  wallet: ANN,
  token_id: YES,
  side,
  shares: "100",
  usd,
  source: "chain_v2",
});

test("a round trip won and one lost in one market on one day count as a gain and a loss", async () => {
  const folded = await openFolded(
    {
      polymarket_markets: [market(0)],
      polymarket_tokens: [{ token_id: YES, outcome_index: 0, condition_id: hex(1), outcome: "", slug: "rain-0" }],
      polymarket_fills: [fill(1, "BUY", "40"), fill(2, "SELL", "50"), fill(3, "BUY", "50"), fill(4, "SELL", "46")],
    },
    "2026-03-02",
  );
  try {
    const [row] = await folded.rows(581, { proxy_wallet: ANN, window_days: "all" });
    expect(numbersOf(row, "winning_trades", "losing_trades", "total_pnl", "profit_factor")).toEqual([1, 1, 6, 2.5]);
  } finally {
    await folded.close();
  }
});
