import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { InsertRow } from "../../src/definition/table.ts";
import { hex, market, tokenId } from "../fixtures/sample-rows.ts";
import { fillRow } from "../ingest/fill-rows.ts";
import { numbersOf, openFolded } from "./open-folded.ts";

const DAY = "2026-03-02";
const [ANN, BOB, CEM, DAN, EVE] = [0xa1, 0xb2, 0xc3, 0xd4, 0xe5].map((first) => hex(first, 40));
const [YES, NO] = [tokenId(0), tokenId(1)];

let log = 0;
const place = (at: string): InsertRow => {
  log += 1;
  return { ts: Date.parse(`${at}:00Z`) / 1000, tx_hash: hex(log), block_number: 100 + log, log_index: 1 };
};
const fill = (wallet: string | undefined, at: string, side: "BUY" | "SELL", price: number): InsertRow => ({
  ...fillRow(500 + log, 0),
  ...place(at),
  wallet,
  token_id: YES,
  side,
  shares: "100",
  usd: String(100 * price),
  source: "chain_v2",
});

let folded: Awaited<ReturnType<typeof openFolded>>;
beforeAll(async () => {
  const outcome = { condition_id: hex(1), outcome: "", slug: "rain-0" };
  folded = await openFolded(
    {
      polymarket_markets: [market(0)],
      polymarket_tokens: [
        { ...outcome, token_id: YES, outcome_index: 0 },
        { ...outcome, token_id: NO, outcome_index: 1 },
      ],
      polymarket_fills: [
        fill(ANN, `${DAY}T10:00`, "BUY", 0.4),
        fill(ANN, `${DAY}T12:00`, "SELL", 0.6),
        fill(BOB, `${DAY}T19:00`, "BUY", 0.99),
        fill(CEM, "2026-03-01T10:00", "BUY", 0.4),
        fill(DAN, `${DAY}T10:00`, "BUY", 0.4),
        fill(DAN, `${DAY}T11:00`, "SELL", 0.5),
        fill(DAN, `${DAY}T12:00`, "BUY", 0.6),
        fill(EVE, `${DAY}T10:00`, "BUY", 0.4),
        fill(EVE, `${DAY}T12:00`, "SELL", 0.6),
        fill(EVE, `${DAY}T19:00`, "BUY", 0.99),
      ],
      polymarket_resolutions: [
        {
          ...place(`${DAY}T18:00`),
          condition_id: hex(1),
          oracle: hex(1, 40),
          question_id: hex(3),
          payout_numerators: ["1", "0"],
          payouts: ["1", "0"],
        },
      ],
    },
    "2026-03-04",
  );
});
afterAll(() => folded.close());

const kindsOf = async (proxy_wallet: string | undefined) =>
  (await folded.rows(1002, { proxy_wallet })).map(({ kind }) => kind);

describe("the resolution in a wallet's ledger", () => {
  test("is present for a wallet that held the token then, also since the day before or after a sale", async () => {
    expect(await kindsOf(CEM)).toEqual(["resolution", "buy"]);
    expect(await kindsOf(DAN)).toEqual(["resolution", "buy", "sell", "buy"]);
  });

  test("is absent for a wallet that sold the token earlier that day", async () => {
    expect(await kindsOf(ANN)).toEqual(["sell", "buy"]);
    const [position] = await folded.rows(1001, { proxy_wallet: ANN, status: "ALL" });
    expect(numbersOf(position, "shares", "realized_pnl")).toEqual([0, 20]);
  });

  test("is absent for a wallet that sold the token earlier that day and bought it again later that day", async () => {
    expect(await kindsOf(EVE)).toEqual(["buy", "sell", "buy"]);
  });

  test("is absent for a wallet that first bought the token later that day, which then has its resolved value", async () => {
    expect(await kindsOf(BOB)).toEqual(["buy"]);
    const [position] = await folded.rows(1001, { proxy_wallet: BOB, status: "ALL" });
    expect(numbersOf(position, "shares", "realized_pnl", "mark")).toEqual([100, 1, 1]);
    expect(position).toMatchObject({ status: "redeemable" });
  });
});
