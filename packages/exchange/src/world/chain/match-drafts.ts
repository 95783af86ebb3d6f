import { ADDRESSES } from "./addresses.ts";
import type { ChainLog } from "../chain-contract.ts";
import type { FillLeg, Hex, MatchHappening } from "../contract.ts";
import { exchangeDraft, type LogDraft, moveOne } from "./log-draft.ts";
import { setDrafts } from "./set-drafts.ts";

const ZERO: Hex = `0x${"0".repeat(64)}`;

/** The exchange contract that settles a match. */
function exchangeOf(match: MatchHappening): Pick<ChainLog, "contract" | "address"> {
  const v2 = match.exchange_version === "V2";
  if (match.market.neg_risk) {
    return {
      contract: "neg_risk_exchange",
      address: v2 ? ADDRESSES.neg_risk_exchange_v2 : ADDRESSES.neg_risk_exchange_v1,
    };
  }
  return { contract: "exchange", address: v2 ? ADDRESSES.exchange_v2 : ADDRESSES.exchange_v1 };
}

/** Assets given and received, depending on the side of the order. */
function amounts(leg: FillLeg): { makerAmountFilled: bigint; takerAmountFilled: bigint } {
  const usd = BigInt(leg.usd_micro);
  const shares = BigInt(leg.shares_micro);
  return leg.side === "BUY"
    ? { makerAmountFilled: usd, takerAmountFilled: shares }
    : { makerAmountFilled: shares, takerAmountFilled: usd };
}

/** The asset fields: side and token on V2, a pair of assets (0 = collateral) on V1. */
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

/**
 * Logs of a settlement. First the sold assets go to the exchange; then per maker: the set minted or burnt for it (on V2
 * by a collateral adapter), its tokens, its OrderFilled; finally the taker's tokens, fee, OrderFilled, OrdersMatched.
 */
export function matchDrafts(match: MatchHappening): LogDraft[] {
  const { taker, market, exchange_version: version } = match;
  const exchange = exchangeOf(match);
  const self = exchange.address;
  const give = (leg: FillLeg): LogDraft => moveOne(self, leg.wallet, self, leg.token_id, leg.shares_micro);
  const get = (leg: FillLeg): LogDraft => moveOne(self, self, leg.wallet, leg.token_id, leg.shares_micro);
  const maker = { holder: self, isThroughAdapter: version === "V2" };
  const log = (event: ChainLog["event"], args: () => ChainLog["args"]): LogDraft =>
    exchangeDraft(exchange, version, event, args);
  const drafts: LogDraft[] = taker.side === "SELL" ? [give(taker)] : [];
  for (const leg of match.makers) {
    if (leg.side === "SELL") drafts.push(give(leg));
    if (leg.kind === "mint") drafts.push(...setDrafts(market, "split", maker, leg.shares_micro));
    if (leg.kind === "merge") drafts.push(...setDrafts(market, "merge", maker, leg.shares_micro));
    if (leg.side === "BUY") drafts.push(get(leg));
    drafts.push({ ...log("OrderFilled", () => orderFilled(match, leg, taker.wallet)), leg });
  }
  if (taker.side === "BUY") drafts.push(get(taker));
  if (taker.fee_micro > 0) {
    drafts.push(log("FeeCharged", () => feeCharged(match)));
  }
  drafts.push({ ...log("OrderFilled", () => orderFilled(match, taker, self)), leg: taker });
  drafts.push(
    log("OrdersMatched", () => ({
      takerOrderHash: taker.order_hash,
      takerOrderMaker: taker.wallet,
      ...assets(match, taker),
      ...amounts(taker),
    })),
  );
  return drafts;
}

function feeCharged({ taker }: MatchHappening): ChainLog["args"] {
  return { receiver: ADDRESSES.fee_receiver, amount: BigInt(taker.fee_micro) };
}
