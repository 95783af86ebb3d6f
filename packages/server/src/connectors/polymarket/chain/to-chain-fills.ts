import type { InsertRow } from "../../../definition/table.ts";
import { isoSeconds } from "../exact/values.ts";
import { microText } from "../../../definition/value-text.ts";
import { assetOfV1, assetOfV2, decodeLeg, type Leg, makerKind, type MatchKind, takerKind } from "./fill-legs.ts";
import { eventTopics } from "./exchange-events.ts";
import { type ChainLog, logWords } from "./logs.ts";

/**
 * The rows of polymarket_fills of a run of logs, in chain order. OrdersMatched ends a match and is never a fill itself.
 * `secondsOf` gives the time of a block; it throws if that was not fetched.
 */
export function toChainFills(logs: readonly ChainLog[], secondsOf: (block: number) => number): InsertRow[] {
  const inOrder = logs
    .filter((log) => log.removed !== true)
    .toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
  const refunds = refundsOf(inOrder);
  const matches: Match[] = [];
  const open = new Map<string, Leg[]>();
  for (const log of inOrder) {
    const match = `${log.transactionHash}:${log.address}`;
    if (isFilled(log)) {
      const leg = decodeLeg(log, refunds.get(log) ?? 0n);
      const legs = open.get(match);
      if (legs === undefined) open.set(match, [leg]);
      else legs.push(leg);
    } else if (isMatched(log)) {
      matches.push({ legs: open.get(match) ?? [], matched: decodeMatch(log) });
      open.delete(match);
    }
  }
  for (const legs of open.values()) matches.push({ legs, matched: undefined });
  const numbers = numberAlike(matches.flatMap(({ legs }) => legs));
  return matches.flatMap(({ legs, matched }) => {
    const kindOf = kindsOf(legs, matched);
    return legs.map((leg) => ({
      ...toRow(leg, kindOf(leg), secondsOf(leg.log.blockNumber)),
      alike_number: numbers.get(leg),
    }));
  });
}

type Match = {
  readonly legs: readonly Leg[];
  readonly matched: Pick<Leg, "side" | "tokenId"> | undefined;
};

function kindsOf(legs: readonly Leg[], matched: Match["matched"]): (leg: Leg) => MatchKind {
  const taker = legs.findLast((leg) => leg.isTaker) ?? matched;
  const kinds = new Map(legs.filter((leg) => !leg.isTaker).map((leg) => [leg, makerKind(leg, taker)]));
  const ofTaker = takerKind([...kinds.values()]);
  return (leg) => kinds.get(leg) ?? ofTaker;
}

function toRow(leg: Leg, match_kind: MatchKind, seconds: number): InsertRow {
  return {
    ts: isoSeconds(seconds),
    tx_hash: leg.log.transactionHash,
    order_hash: leg.orderHash,
    wallet: leg.wallet,
    token_id: leg.tokenId,
    side: leg.side,
    role: leg.isTaker ? "taker" : "maker",
    match_kind,
    shares: microText(leg.shares),
    usd: microText(leg.usd),
    fee_usd: microText(leg.feeUsd),
    block_number: leg.log.blockNumber,
    log_index: leg.log.logIndex,
    source: leg.generation,
  };
}

function isFilled(log: ChainLog): boolean {
  return log.topics[0] === eventTopics.filledV1 || log.topics[0] === eventTopics.filledV2;
}

function isMatched(log: ChainLog): boolean {
  return log.topics[0] === eventTopics.matchedV1 || log.topics[0] === eventTopics.matchedV2;
}

const orderKey = (log: ChainLog): string => `${log.transactionHash}:${log.topics[1] ?? ""}`;

/**
 * Refunds of V1's fee modules by the filled order that they belong to, in the asset the fee was taken in. An order may
 * be filled several times in a transaction, with a refund each: then the fee tells which.
 */
function refundsOf(logs: readonly ChainLog[]): ReadonlyMap<ChainLog, bigint> {
  const refunds = new Map<ChainLog, bigint>();
  const refunded = logs.filter((log) => log.topics[0] === eventTopics.refundedV1);
  if (refunded.length === 0) return refunds;
  const legs = Map.groupBy(logs.filter(isFilled), orderKey);
  for (const log of refunded) {
    // Its words are `id` and `refund`; `feeCharged` is what was kept.
    const refund = logWords.at(log, 1);
    const fee = BigInt(logWords.topic(log, 3)) + refund;
    const all = legs.get(orderKey(log)) ?? [];
    const left = all.filter((leg) => !refunds.has(leg));
    const leg = left.find((each) => logWords.at(each, 4) === fee) ?? left[0] ?? all.at(-1);
    if (leg !== undefined) refunds.set(leg, (refunds.get(leg) ?? 0n) + refund);
  }
  return refunds;
}

/** The taker's side and token from OrdersMatched, for a match whose taker leg is not among the logs. */
function decodeMatch(log: ChainLog): Pick<Leg, "side" | "tokenId"> {
  return log.topics[0] === eventTopics.matchedV2 ? assetOfV2(log) : assetOfV1(log);
}

/**
 * Numbers legs, from 1, among those of their transaction with equal wallet, token, side and shares, ordered by
 * notional: the Data API does not report their order on the chain, so its fills are numbered by price.
 */
function numberAlike(legs: readonly Leg[]): ReadonlyMap<Leg, number> {
  const numbers = new Map<Leg, number>();
  for (const legsOf of Map.groupBy(legs, ({ log, wallet }) => `${log.transactionHash} ${wallet}`).values()) {
    // Nearly all wallets have one leg in a transaction.
    const groups =
      legsOf.length === 1
        ? [legsOf]
        : Map.groupBy(legsOf, ({ tokenId, side, shares }) => `${tokenId} ${side} ${shares}`).values();
    for (const alike of groups) {
      const sorted = alike.toSorted((a, b) => (a.usd < b.usd ? -1 : a.usd > b.usd ? 1 : 0));
      for (const [place, leg] of sorted.entries()) numbers.set(leg, place + 1);
    }
  }
  return numbers;
}
