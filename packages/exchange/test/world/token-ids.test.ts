import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ADDRESSES } from "../../src/world/chain/addresses.ts";
import { conditionId, tokenId } from "../../src/world/polymarket/conditional-token-ids.ts";
import type { Hex } from "../../src/world/contract.ts";
import { takerFee } from "../../src/world/core/taker-fee.ts";
import { smallWorld } from "./small-world.ts";

const ONCHAIN = new URL("../../../../../shared/recorded/polymarket/onchain/", import.meta.url);

const { world } = smallWorld({ days: 0.1 });

function recorded(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, ONCHAIN), "utf8"));
}

describe("condition and token ids", () => {
  test("match the documented vector", () => {
    const condition = "0x36734a624c2b5aeee164162536fe811bb82677ad927050b50cc46838fe67d494";
    expect(tokenId(ADDRESSES.usdc_e, condition, 0)).toBe(
      "93464131606378261331338471789927052245553593563803080458303202347805601920785",
    );
    expect(tokenId(ADDRESSES.usdc_e, condition, 1)).toBe(
      "54587822891934720131108562415940344642217988714969692821005775518682216077925",
    );
  });

  test.skipIf(!existsSync(ONCHAIN))("match the recorded vectors (skipped when ../shared/recorded is absent)", () => {
    interface Binary {
      vectors: {
        kind?: string;
        conditionId: Hex;
        collateral: Hex;
        outcomes?: { indexSet: 1 | 2; tokenId: string }[];
      }[];
    }
    interface NegRisk {
      collateral: Hex;
      vectors: { conditionId: Hex; indexSet: 1 | 2; tokenId: string }[];
    }
    let checked = 0;
    for (const vector of (recorded("token_id_vectors.json") as Binary).vectors) {
      for (const outcome of vector.outcomes ?? []) {
        expect(tokenId(vector.collateral, vector.conditionId, (outcome.indexSet - 1) as 0 | 1)).toBe(outcome.tokenId);
        checked += 1;
      }
    }
    const negRisk = recorded("negrisk_token_id_vectors.json") as NegRisk;
    for (const vector of negRisk.vectors) {
      expect(tokenId(negRisk.collateral, vector.conditionId, (vector.indexSet - 1) as 0 | 1)).toBe(vector.tokenId);
      checked += 1;
    }
    expect(checked).toBeGreaterThan(10);
  });

  test("are derived the same way in the world", () => {
    for (const market of world.polymarket.markets) {
      expect(market.condition_id).toBe(conditionId(market.oracle, market.question_id));
      const marketId = market.event.neg_risk_market_id;
      if (marketId === null) continue;
      expect(market.oracle).toBe(ADDRESSES.neg_risk_adapter);
      expect(market.question_id.slice(0, 64)).toBe(marketId.slice(0, 64));
      expect(Number.parseInt(market.question_id.slice(64), 16)).toBe(market.question_index);
    }
    const tokens = world.polymarket.markets.flatMap((m) => m.token_ids);
    expect(new Set(tokens).size).toBe(tokens.length);
  });
});

describe("taker fee", () => {
  test.skipIf(!existsSync(ONCHAIN))(
    "matches the recorded fee vectors (skipped when ../shared/recorded is absent)",
    () => {
      interface Vector {
        side: "BUY" | "SELL";
        makerAmountFilled: string;
        takerAmountFilled: string;
        fee: string;
        rate: number;
      }
      for (const v of recorded("v2_order_filled_fee_vectors.json") as Vector[]) {
        const [usd, shares] =
          v.side === "BUY" ? [v.makerAmountFilled, v.takerAmountFilled] : [v.takerAmountFilled, v.makerAmountFilled];
        expect(takerFee(Math.round(v.rate * 10_000), Number(usd), Number(shares))).toBe(Number(v.fee));
      }
    },
  );

  test("is a whole multiple of 0.00001 USD, exact for large amounts", () => {
    expect(takerFee(700, 1_999_999, 6_493_505)).toBe(96_870);
    expect(takerFee(500, 0, 1_000_000)).toBe(0);
    expect(takerFee(0, 500_000, 1_000_000)).toBe(0);
    expect(takerFee(700, 500_000_000_000_000, 1_000_000_000_000_000)).toBe(17_500_000_000_000);
  });

  test("is paid by every taker of the world, by no maker, and by nobody before V2", () => {
    let paid = 0;
    const wrong = world.polymarket.matches.filter(({ taker, makers, market, exchange_version }) => {
      const rate = exchange_version === "V1" ? 0 : market.fee_rate_e4;
      paid += taker.fee_micro > 0 ? 1 : 0;
      const due = takerFee(rate, taker.usd_micro, taker.shares_micro);
      return taker.fee_micro !== due || makers.some((leg) => leg.fee_micro !== 0);
    });
    expect(wrong.length).toBe(0);
    expect(paid).toBeGreaterThan(100);
  });
});
