import type { MatchHappening } from "../../world/contract.ts";
import type { World } from "../../world/world.ts";
import { type TradeLeg, tradeLegs } from "./leg-row.ts";

/** What a trades feed was asked for. Times are block seconds, both ends included. */
interface TradeQuestion {
  /** Lower-case address. */
  user: string | undefined;
  /** Lower-case condition ids; empty for all markets. */
  conditions: readonly string[];
  taker_only: boolean;
  least_shares_micro: number;
  from: number;
  to: number;
}

/**
 * Legs that answer a question, newest first by (timestamp, sequence). Lazy, so that a page costs a page.
 * Nothing later than `question.to` is looked at: a match whose block is not there yet does not exist for the Data API.
 */
export function* walkTrades(world: World, question: TradeQuestion): Generator<TradeLeg> {
  for (const match of newestFirst(world, question)) {
    if (match.is_dropped === true) continue;
    const seconds = match.block_ms / 1000;
    if (seconds > question.to) continue;
    if (seconds < question.from) return;
    for (const each of tradeLegs(match, question.taker_only)) {
      if (question.user !== undefined && each.leg.wallet !== question.user) continue;
      if (each.leg.shares_micro >= question.least_shares_micro) yield each;
    }
  }
}

function* newestFirst(world: World, question: TradeQuestion): Generator<MatchHappening> {
  const wanted = new Set(question.conditions);
  const only = question.conditions.length === 1 ? question.conditions[0] : undefined;
  if (question.user !== undefined) {
    const mine = world.polymarket.activity(question.user);
    for (let index = mine.length - 1; index >= 0; index -= 1) {
      const happening = mine[index];
      if (happening?.kind === "match" && (wanted.size === 0 || wanted.has(happening.market.condition_id)))
        yield happening;
    }
    return;
  }
  const source = only === undefined ? world.polymarket.matches : (world.polymarket.market(only)?.matches() ?? []);
  for (let index = lastWithin(source, question.to); index >= 0; index -= 1) {
    const match = source[index];
    if (match !== undefined && (wanted.size === 0 || wanted.has(match.market.condition_id))) yield match;
  }
}

/** Index of the last match whose block time is at most `seconds`; matches are in block order. */
function lastWithin(matches: readonly MatchHappening[], seconds: number): number {
  let low = 0;
  let high = matches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((matches[middle]?.block_ms ?? 0) <= seconds * 1000) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
