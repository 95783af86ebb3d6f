import { describe, expect, it } from "vitest";
import { NOTHING_BEFORE } from "../../src/derivations/wallet/wallet-state.ts";
import { foldToRows } from "../fixtures/fold-to-rows.ts";
import { jsonOf, noRecordings } from "./recordings.ts";

const MILLION = 1_000_000n;
const why = noRecordings ? `: ${noRecordings}` : "";
const micro = (text: unknown): bigint => BigInt(Math.round(Number(text) * 1e6));
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n);

type Decoded = { tokenId: string; makerAmountFilled: string; takerAmountFilled: string; amount: string };
type Mint = { blockNumber: number; transactionHash: string; logs: { event: string; decoded?: Decoded }[] };

/** The only match of which all legs are recorded, though not its result: bids of 0.692 and 0.308 mint a market's sets. */
describe.skipIf(noRecordings)(`a recorded match, whole${why}`, () => {
  const CONDITION = `0x${"c".repeat(64)}`;
  const DAY = "2026-05-28";

  it.each([
    ["the maker's", 0],
    ["the taker's", 1],
  ])("makes the wallets' profits sum to its fee when %s side wins", (_whose, winner) => {
    const { blockNumber, transactionHash, logs } = jsonOf<Mint>("polymarket/onchain/v2_mint_match_tx_0x03beb7ad.json");
    const [maker, taker, charged] = ["OrderFilled", "OrdersMatched", "FeeCharged"].map(
      (event) => logs.find((log) => log.event === event)?.decoded,
    );
    const fee = BigInt(charged?.amount ?? 0);
    const legs = [maker, taker];
    const payouts = new Map(legs.map((leg, side) => [leg?.tokenId ?? "", side === winner ? MILLION : 0n]));
    const at = Date.parse(`${DAY}T20:26:40Z`) / 1000;
    const place = { at, block: blockNumber, log: 977, sub: 0, tx: transactionHash };
    const resolution = { at: at + 3600, block: blockNumber + 1, log: 0, isFromCatalogue: false, payouts };
    const profits = legs.map((leg, side) => {
      const { walletDays } = foldToRows({
        wallet: `0x${String(side + 1).repeat(40)}`,
        opening: NOTHING_BEFORE,
        rows: [
          {
            ...place,
            kind: "buy",
            token: leg?.tokenId ?? "",
            condition: CONDITION,
            shares: BigInt(leg?.takerAmountFilled ?? 0),
            usd: -BigInt(leg?.makerAmountFilled ?? 0),
            fee: leg === taker ? fee : 0n,
            isMaker: leg === maker,
            isFeeKnown: true,
          },
        ],
        resolutions: new Map([[CONDITION, resolution]]),
        marksOf: () => undefined,
        from: DAY,
        through: DAY,
      });
      return sum(walletDays.map((day) => micro(day["realized_usd"]) - micro(day["fee_usd"])));
    });
    expect(fee).toBe(96_870n);
    expect(profits[winner]).toBeGreaterThan(0n);
    expect(sum(profits)).toBe(-fee);
  });
});
