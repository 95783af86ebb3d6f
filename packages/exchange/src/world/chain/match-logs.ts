import { ADDRESSES } from "./addresses.ts";
import type { ChainLog } from "../chain-contract.ts";
import type { FillLeg, Hex, MatchHappening } from "../contract.ts";
import { setLogs } from "./set-logs.ts";

const ZERO: Hex = `0x${"0".repeat(64)}`;

/** The exchange contract that settles a match. */
export function exchangeOf(match: MatchHappening): Pick<ChainLog, "contract" | "address"> {
  const v2 = match.exchange_version === "V2";
  if (match.market.neg_risk) {
    return {
      contract: "neg_risk_exchange",
      address: v2 ? ADDRESSES.neg_risk_exchange_v2 : ADDRESSES.neg_risk_exchange_v1,
    };
  }
  return { contract: "exchange", address: v2 ? ADDRESSES.exchange_v2 : ADDRESSES.exchange_v1 };
}

/** What is given and what is got, by the side of the order. */
function amounts(leg: FillLeg): { makerAmountFilled: bigint; takerAmountFilled: bigint } {
  const usd = BigInt(leg.usd_micro);
  const shares = BigInt(leg.shares_micro);
  return leg.side === "BUY"
    ? { makerAmountFilled: usd, takerAmountFilled: shares }
    : { makerAmountFilled: shares, takerAmountFilled: usd };
}

/** The asset part: side and token on V2, a pair of assets (0 = collateral) on V1. */
function assets(match: MatchHappening, leg: FillLeg): Record<string, bigint | number> {
  const token = BigInt(leg.token_id);
  if (match.exchange_version === "V2") return { side: leg.side === "BUY" ? 0 : 1, tokenId: token };
  return leg.side === "BUY" ? { makerAssetId: 0n, takerAssetId: token } : { makerAssetId: token, takerAssetId: 0n };
}

function orderFilled(match: MatchHappening, leg: FillLeg, taker: Hex): ChainLog["args"] {
  const common = {
    orderHash: leg.order_hash,
    maker: leg.wallet,
    taker,
    ...assets(match, leg),
    ...amounts(leg),
    fee: BigInt(leg.fee_micro),
  };
  return match.exchange_version === "V2" ? { ...common, builder: ZERO, metadata: ZERO } : common;
}

/** How many logs come before the first maker leg: those of the sets that are made or burnt. */
export function setLogCount(negRisk: boolean, hasSets: boolean): number {
  return hasSets ? (negRisk ? 2 : 1) : 0;
}

/** Logs of a settlement: sets made or burnt, one OrderFilled a maker, FeeCharged, OrderFilled of the taker, OrdersMatched. */
export function matchLogs(match: MatchHappening): ChainLog[] {
  const { contract, address } = exchangeOf(match);
  const base = {
    exchange_version: match.exchange_version,
    tx_hash: match.tx_hash,
    tx_index: match.tx_index,
    block_number: match.block_number,
  };
  const logs: ChainLog[] = [];
  const sets = match.makers.filter((leg) => leg.kind !== "complementary");
  const amount = sets.reduce((sum, leg) => sum + leg.shares_micro, 0);
  const first = sets[0];
  if (first !== undefined) {
    const kind = first.kind === "mint" ? "split" : "merge";
    logs.push(...setLogs(match.market, match, kind, address, amount, match.first_log_index, match.exchange_version));
  }
  for (const leg of match.makers) {
    const args = orderFilled(match, leg, match.taker.wallet);
    logs.push({ ...base, contract, address, event: "OrderFilled", args, log_index: leg.log_index });
  }
  const { taker } = match;
  if (taker.fee_micro > 0) {
    const args = { receiver: ADDRESSES.fee_receiver, amount: BigInt(taker.fee_micro) };
    logs.push({ ...base, contract, address, event: "FeeCharged", args, log_index: taker.log_index - 1 });
  }
  const own = orderFilled(match, taker, address);
  logs.push({ ...base, contract, address, event: "OrderFilled", args: own, log_index: taker.log_index });
  const matched = {
    takerOrderHash: taker.order_hash,
    takerOrderMaker: taker.wallet,
    ...assets(match, taker),
    ...amounts(taker),
  };
  logs.push({ ...base, contract, address, event: "OrdersMatched", args: matched, log_index: taker.log_index + 1 });
  return logs;
}
