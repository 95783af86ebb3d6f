import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { InsertRow } from "../../src/definition/table.ts";
import { hex, market, tokenId } from "../fixtures/sample-rows.ts";
import { fillRow } from "../ingest/fill-rows.ts";
import { numbersOf, openFolded } from "./open-folded.ts";

const START = Date.parse("2026-03-01") / 1000;
const NOW = "2026-03-04";
/** Buys on V1 and redeems; buys on V2; sells on V1; buys on V1 at odd prices. */
const [ANN, BOB, CEM, DAN] = [0xa1, 0xb2, 0xc3, 0xd4].map((first) => hex(first, 40));
/** Reported by the Data API alone: a taker, a maker, and one of unknown role. */
const [EVE, FAY, GIL] = [0xe5, 0xf6, 0x97].map((first) => hex(first, 40));
const [YES, NO] = [tokenId(0), tokenId(1)];

let log = 0;
const place = (day: number): InsertRow => {
  log += 1;
  return { ts: START + day * 86_400 + 60 * log, tx_hash: hex(log), block_number: 100 + log, log_index: 1 };
};

const fill = (wallet: string | undefined, given: InsertRow): InsertRow => ({
  ...fillRow(500 + log, 0),
  ...place(0),
  wallet,
  token_id: YES,
  shares: "100",
  usd: "50",
  fee_usd: "0.75",
  source: "chain_v1",
  ...given,
});

const micro = (amount: unknown): bigint => BigInt(Math.round(Number(amount) * 1e6));
const text = (amount: bigint): string => `${amount / 1_000_000n}.${String(amount % 1_000_000n).padStart(6, "0")}`;

/** Shares, USD and the fee in shares of V1 buys, millionths. */
const ODD = [
  [3_333_333n, 1_234_567n, 41_203n],
  [7_000_001n, 70_003n, 350_117n],
  [999_999n, 989_999n, 1n],
  [123_456_789_012n, 86_419_752_308n, 987_654_321n],
] as const;

let folded: Awaited<ReturnType<typeof openFolded>>;

beforeAll(async () => {
  const outcome = { condition_id: hex(1), outcome: "", slug: "rain-0" };
  const named = [
    { ...outcome, token_id: YES, outcome_index: 0 },
    { ...outcome, token_id: NO, outcome_index: 1 },
  ];
  const odd = ODD.map(([shares, usd, fee]) =>
    fill(DAN, { token_id: NO, shares: text(shares), usd: text(usd), fee_usd: text((fee * usd) / shares) }),
  );
  const bob = fill(BOB, { source: "chain_v2" });
  const feeless = { source: "data_api_v2", block_number: 0, fee_usd: "0" };
  const reported = [
    fill(EVE, feeless),
    fill(FAY, { ...feeless, role: "maker" }),
    fill(GIL, { ...feeless, role: "unknown" }),
  ];
  const rows: Readonly<Record<string, readonly InsertRow[]>> = {
    polymarket_markets: [market(0)],
    polymarket_tokens: named,
    polymarket_fills: [
      fill(ANN, {}),
      bob,
      fill(CEM, { fee_usd: "0" }),
      fill(CEM, { side: "SELL" }),
      ...odd,
      ...reported,
    ],
    polymarket_resolutions: [
      {
        ...place(1),
        condition_id: hex(1),
        oracle: hex(1, 40),
        question_id: hex(3),
        payout_numerators: ["1", "0"],
        payouts: ["1", "0"],
      },
    ],
    polymarket_position_changes: [
      {
        ...place(2),
        kind: "redemption",
        wallet: ANN,
        stakeholder: ANN,
        is_inner: false,
        contract: "conditional_tokens",
        condition_id: hex(1),
        market_id: hex(0),
        index_set: "0",
        amount: "1",
        usd_delta: "98.5",
        token_ids: [YES],
        token_deltas: ["-98.5"],
      },
    ],
  };
  folded = await openFolded(rows, NOW);
});
afterAll(() => folded.close());

const ledger = (proxy_wallet: string | undefined, kind: string) => folded.rows(1002, { proxy_wallet, kind });

describe("a fee taken in shares (V1 buys)", () => {
  test("is not held, and the money paid is the full notional", async () => {
    const [bought] = await ledger(ANN, "buy");
    expect(numbersOf(bought, "shares", "usd", "fee_usd", "price")).toEqual([98.5, -49.25, 0.75, 0.5]);
    const [profile] = await folded.rows(581, { proxy_wallet: ANN, window_days: "all" });
    expect(profile).toMatchObject({ total_pnl: 48.5, fees_usd: 0.75, pnl_status: "exact", pnl_residual_usd: 0 });
  });

  test("leaves nothing once all held shares are redeemed", async () => {
    const [position] = await folded.rows(1001, { proxy_wallet: ANN, status: "ALL" });
    expect(position).toMatchObject({ status: "closed" });
    expect(numbersOf(position, "shares", "cost")).toEqual([0, 0]);
  });

  test("counts as bought in the venue's figures, and is separate from its profit", async () => {
    const [v1] = await folded.rows(1001, { proxy_wallet: ANN, status: "ALL" });
    expect(numbersOf(v1, "avg_entry_price", "pnl_polymarket", "realized_pnl", "fees")).toEqual([
      0.5, 49.25, 48.5, 0.75,
    ]);
    const [v2] = await folded.rows(1001, { proxy_wallet: BOB, status: "ALL" });
    expect(numbersOf(v2, "avg_entry_price", "pnl_polymarket", "realized_pnl", "fees")).toEqual([0.5, 50, 49.25, 0.75]);
  });

  test("differs from a fee in USD: on V2, and on a V1 sale", async () => {
    const [v2] = await ledger(BOB, "buy");
    expect(numbersOf(v2, "shares", "usd", "fee_usd")).toEqual([100, -50, 0.75]);
    const [sold] = await ledger(CEM, "sell");
    expect(numbersOf(sold, "shares", "usd", "fee_usd")).toEqual([-100, 50, 0.75]);
    const [free] = await ledger(CEM, "buy");
    expect(numbersOf(free, "shares", "usd", "fee_usd")).toEqual([100, -50, 0]);
  });

  test("is never overestimated, nor underestimated by more than a millionth of a dollar buys", async () => {
    const rows = await ledger(DAN, "buy");
    expect(rows).toHaveLength(ODD.length);
    for (const [index, [shares, usd, fee]] of ODD.entries()) {
      const row = rows.at(-1 - index);
      const over = micro(row?.["shares"]) - (shares - fee);
      expect(over).toBeGreaterThanOrEqual(0n);
      expect(over).toBeLessThanOrEqual(shares / usd);
      expect(micro(row?.["fee_usd"]) - micro(row?.["usd"])).toBe(usd);
    }
  });
});

test.each([
  ["taker", EVE, "estimated"],
  ["maker", FAY, "exact"],
  ["unknown", GIL, "estimated"],
])(
  "labels the profit of a %s as exact or estimated if only the Data API reported the fill",
  async (_role, wallet, pnl_status) => {
    const [profile] = await folded.rows(581, { proxy_wallet: wallet, window_days: "all" });
    expect(profile).toMatchObject({ fees_usd: 0, pnl_status });
    const [bought] = await ledger(wallet, "buy");
    expect(numbersOf(bought, "fee_usd")).toEqual([0]);
    const [position] = await folded.rows(1001, { proxy_wallet: wallet, status: "ALL" });
    expect(position).toMatchObject({ estimated: pnl_status === "estimated" });
  },
);
