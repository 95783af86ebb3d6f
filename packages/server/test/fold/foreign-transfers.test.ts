import { afterAll, beforeAll, expect, test } from "vitest";
import type { InsertRow } from "../../src/definition/table.ts";
import { hex, market, tokenId } from "../fixtures/sample-rows.ts";
import { fillRow } from "../ingest/fill-rows.ts";
import { numbersOf, openFolded } from "./open-folded.ts";

const [ANN, BOB, EVE] = [0xa1, 0xb2, 0xe5].map((first) => hex(first, 40));
const [YES, FOREIGN] = [tokenId(0), tokenId(900)];
/** Whole shares; twice this amount exceeds a column. */
const MUCH = "600000000000";

let log = 0;
const place = (day: string): InsertRow => {
  log += 1;
  return { ts: Date.parse(`${day}T10:00:00Z`) / 1000 + log, tx_hash: hex(log), block_number: 100 + log, log_index: 1 };
};
const bought = (wallet: string | undefined): InsertRow => ({
  ...fillRow(1, 0),
  ...place("2026-03-01"),
  wallet,
  token_id: YES,
  side: "BUY",
  shares: "100",
  usd: "40",
  source: "chain_v2",
});
const sent = (from: string | undefined, to: string | undefined, day: string, shares = MUCH): InsertRow => ({
  ...place(day),
  operator: from,
  from_wallet: from,
  to_wallet: to,
  token_id: FOREIGN,
  shares,
  place: 0,
});

let folded: Awaited<ReturnType<typeof openFolded>>;
beforeAll(async () => {
  folded = await openFolded(
    {
      polymarket_markets: [market(0)],
      polymarket_tokens: [{ token_id: YES, outcome_index: 0, condition_id: hex(1), outcome: "", slug: "rain-0" }],
      polymarket_fills: [bought(ANN), bought(BOB)],
      polymarket_transfers: [
        sent(EVE, ANN, "2026-03-01"),
        sent(EVE, ANN, "2026-03-01"),
        sent(EVE, ANN, "2026-03-02"),
        ...Array.from({ length: 150 }, () => sent(EVE, ANN, "2026-03-02", "999999999")),
        sent(EVE, ANN, "2026-03-02", "5"),
      ],
    },
    "2026-03-03",
  );
});
afterAll(() => folded.close());

test("computes wallets however many foreign tokens they received", async () => {
  for (const wallet of [ANN, BOB]) {
    const [position] = await folded.rows(1001, { proxy_wallet: wallet, token_id: YES, status: "ALL" });
    expect(numbersOf(position, "shares", "cost")).toEqual([100, 40]);
  }
  const profiles = await Promise.all(
    [ANN, BOB].map((proxy_wallet) => folded.rows(581, { proxy_wallet, window_days: "all" })),
  );
  expect(profiles.map(([profile]) => profile?.["pnl_status"])).toEqual(["estimated", "exact"]);
});

test("holds foreign tokens whose amounts can be shares", async () => {
  const [position] = await folded.rows(1001, { proxy_wallet: ANN, token_id: FOREIGN, status: "ALL" });
  expect(numbersOf(position, "shares")[0]).toBeCloseTo(100 * 999_999_999 + 5, 3);
});
