import { afterAll, beforeAll, expect, test } from "vitest";
import { hex, market, tokenId } from "../fixtures/sample-rows.ts";
import { fillRow } from "../ingest/fill-rows.ts";
import { numbersOf, openFolded } from "./open-folded.ts";

const [ANN, YES] = [hex(0xa1, 40), tokenId(0)];
const START = Date.parse("2026-03-01") / 1000;
const place = (log_index: number) => ({
  ts: START + 60 * log_index,
  tx_hash: hex(log_index),
  block_number: 100 + log_index,
  log_index,
});

let folded: Awaited<ReturnType<typeof openFolded>>;
beforeAll(async () => {
  const bought = {
    ...fillRow(1, START),
    ...place(1),
    wallet: ANN,
    token_id: YES,
    shares: "100",
    usd: "40",
    source: "chain_v2",
  };
  const moved = { operator: ANN, from_wallet: ANN, to_wallet: ANN, token_id: YES, shares: "100", place: 0 };
  folded = await openFolded(
    {
      polymarket_markets: [market(0)],
      polymarket_tokens: [{ token_id: YES, outcome_index: 0, condition_id: hex(1), outcome: "", slug: "rain-0" }],
      polymarket_fills: [bought],
      polymarket_transfers: [{ ...place(2), ...moved }],
    },
    "2026-03-02",
  );
});
afterAll(() => folded.close());

test("a transfer to oneself changes nothing that a wallet holds, and adds no row to its ledger", async () => {
  const [position] = await folded.rows(1001, { proxy_wallet: ANN, status: "ALL" });
  expect(numbersOf(position, "shares", "cost", "realized_pnl")).toEqual([100, 40, 0]);
  const [profile] = await folded.rows(581, { proxy_wallet: ANN, window_days: "all" });
  expect(profile).toMatchObject({ total_pnl: 0, pnl_status: "exact" });
  expect((await folded.rows(1002, { proxy_wallet: ANN })).map(({ kind }) => kind)).toEqual(["buy"]);
});

test("a transfer to oneself stays among the transfers of the chain", async () => {
  expect(await folded.rows(1106, { token_id: YES })).toHaveLength(1);
  expect(await folded.rows(1106, { proxy_wallet: ANN })).toHaveLength(1);
});
