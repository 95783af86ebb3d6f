import { makerKind, takerKind, type MatchKind } from "../chain/match-kind.ts";
import type { DataTrade } from "./data-trade.ts";

type Leg = {
  readonly trade: Pick<DataTrade, "tx_hash" | "condition_id" | "token_id" | "side">;
  readonly role: "maker" | "taker" | "unknown";
};

/**
 * How each of the legs (whole transactions) met its counterpart, as the chain would tell it: a maker's leg by the
 * taker's leg of its transaction and market; unknown where there is none, or where several would say otherwise.
 */
export function matchKinds(legs: readonly Leg[]): MatchKind[] {
  const takers = groupBy(legs.filter(({ role }) => role === "taker"));
  const makers = groupBy(legs.filter(({ role }) => role === "maker"));
  const ofMaker = (maker: Leg): MatchKind => {
    const kinds = new Set((takers.get(keyOf(maker)) ?? []).map((taker) => makerKind(toTraded(maker), toTraded(taker))));
    const [kind] = kinds;
    return kind !== undefined && kinds.size === 1 ? kind : "unknown";
  };
  return legs.map((leg) => {
    if (leg.role === "maker") return ofMaker(leg);
    if (leg.role === "unknown" || takers.get(keyOf(leg))?.length !== 1) return "unknown";
    return takerKind((makers.get(keyOf(leg)) ?? []).map(ofMaker));
  });
}

const toTraded = ({ trade }: Leg) => ({ side: trade.side, tokenId: BigInt(trade.token_id) });
const keyOf = ({ trade }: Leg): string => `${trade.tx_hash} ${trade.condition_id}`;

function groupBy(legs: readonly Leg[]): Map<string, Leg[]> {
  const groups = new Map<string, Leg[]>();
  for (const leg of legs) {
    const group = groups.get(keyOf(leg));
    if (group === undefined) groups.set(keyOf(leg), [leg]);
    else group.push(leg);
  }
  return groups;
}
