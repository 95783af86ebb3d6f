import type { FillLeg, MatchHappening } from "../../world/contract.ts";
import type { World } from "../../world/world.ts";

/** One filled order with its match and settlement time: the source of a row of the trades feed. */
export interface TradeLeg {
  match: MatchHappening;
  leg: FillLeg;
  /** Block time in seconds. */
  timestamp: number;
  /** Total order of legs that share a timestamp. */
  sequence: number;
}

/** Returns the legs of a match, newest first as in the feeds: the taker's order settles last. */
export function tradeLegs(match: MatchHappening, takerOnly: boolean): TradeLeg[] {
  const timestamp = match.block_ms / 1000;
  const base = match.seq * 1000;
  const taker = { match, leg: match.taker, timestamp, sequence: base + 999 };
  if (takerOnly) return [taker];
  const makers = match.makers.map((leg, index) => ({ match, leg, timestamp, sequence: base + Math.min(index, 998) }));
  return [taker, ...makers.toReversed()];
}

/** Price of a leg as USD over shares: the average of the transaction, including float noise. */
export function averagePrice(leg: FillLeg): number {
  return leg.shares_micro === 0 ? 0 : leg.usd_micro / leg.shares_micro;
}

/** Rounds to the ten decimal places that v2 keeps of a price. */
export function tenDigits(value: number): number {
  return Math.round(value * 1e10) / 1e10;
}

/** How long the feed lacks the outcome and event of a new market's tokens, seconds. */
const unknownFor = 600;

/**
 * A row of `/v2/trades`. Like the real feed it has no order hash and no log index, and "" means missing. A trade in a
 * market's first ten minutes keeps outcome_index 999 and no event, as the recorded row has them.
 */
export function tradeRow(world: World, { match, leg, timestamp }: TradeLeg): Record<string, unknown> {
  const wallet = world.polymarket.wallet(leg.wallet);
  const isKnown = timestamp - match.market.created_ms / 1000 >= unknownFor;
  return {
    proxy_wallet: leg.wallet,
    side: leg.side,
    token_id: leg.token_id,
    condition_id: match.market.condition_id,
    size: leg.shares_micro / 1_000_000,
    price: tenDigits(averagePrice(leg)),
    timestamp,
    title: match.market.question,
    slug: match.market.slug,
    icon: "",
    event_slug: isKnown ? match.market.event.slug : "",
    outcome: match.market.outcomes[leg.outcome],
    outcome_index: isKnown ? leg.outcome : 999,
    name: wallet?.name ?? "",
    pseudonym: wallet?.pseudonym ?? "",
    bio: "",
    profile_image: "",
    profile_image_optimized: "",
    transaction_hash: match.tx_hash,
  };
}

/** The same row in camelCase, as RTDS sends it; its price keeps every digit of the division. */
export function camelTradeRow(world: World, { match, leg, timestamp }: TradeLeg): Record<string, unknown> {
  const wallet = world.polymarket.wallet(leg.wallet);
  return {
    proxyWallet: leg.wallet,
    side: leg.side,
    asset: leg.token_id,
    conditionId: match.market.condition_id,
    size: leg.shares_micro / 1_000_000,
    price: averagePrice(leg),
    timestamp,
    title: match.market.question,
    slug: match.market.slug,
    icon: "",
    eventSlug: match.market.event.slug,
    outcome: match.market.outcomes[leg.outcome],
    outcomeIndex: leg.outcome,
    name: wallet?.name ?? "",
    pseudonym: wallet?.pseudonym ?? "",
    bio: "",
    profileImage: "",
    profileImageOptimized: "",
    transactionHash: match.tx_hash,
  };
}
