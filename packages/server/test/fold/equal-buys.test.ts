import { afterAll, beforeAll, expect, test } from "vitest";
import { hex, market, tokenId } from "../fixtures/sample-rows.ts";
import { fillRow } from "../ingest/fill-rows.ts";
import { numbersOf, openFolded } from "./open-folded.ts";

const [ANN, BOB] = [0xa1, 0xb2].map((first) => hex(first, 40));

const buy = (wallet: string | undefined, at: number, day: number, usd: string) => ({
  ...fillRow(500 + at, 0),
  ts: Date.parse(`2026-03-0${day}T10:00:00Z`) / 1000 + at,
  tx_hash: hex(at),
  block_number: 100 * day + at,
  log_index: 1,
  wallet,
  token_id: tokenId(at % 2),
  side: "BUY",
  shares: "20000000",
  usd,
  source: "chain_v2",
});

const outcomeOf = (index: number) => ({
  condition_id: hex(1),
  outcome: "",
  slug: "rain-0",
  token_id: tokenId(index),
  outcome_index: index,
});

let folded: Awaited<ReturnType<typeof openFolded>>;
beforeAll(async () => {
  folded = await openFolded(
    {
      polymarket_markets: [market(0)],
      polymarket_tokens: [0, 1].map((index) => outcomeOf(index)),
      polymarket_fills: [
        buy(ANN, 1, 1, "10000000.1"),
        buy(ANN, 2, 1, "10000000.1"),
        buy(ANN, 3, 2, "10000000.1"),
        buy(BOB, 4, 1, "10000000.1"),
        buy(BOB, 5, 1, "10000000.2"),
        buy(BOB, 6, 2, "10000000.3"),
      ],
    },
    "2026-03-04",
  );
});
afterAll(() => folded.close());

const deviationOf = async (proxy_wallet: string | undefined) =>
  numbersOf((await folded.rows(581, { proxy_wallet, window_days: "all" }))[0], "trade_size_stdev");

test("the deviation of large buys is exact: 0 for equal ones, on one day or several, of one token or several", async () => {
  expect(await deviationOf(ANN)).toEqual([0]);
  expect(await deviationOf(BOB)).toEqual([0.1]);
});
