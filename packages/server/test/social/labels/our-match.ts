import { createMatcher, type Matcher } from "../../../src/derivations/social/create-matcher.ts";
import type { LabelledMarket } from "./load-markets.ts";
import type { Match } from "./measure-matcher.ts";

const DAY_MS = 86_400_000;

/** The service's matcher over the labelled markets: one per UTC day, as in the service, of the markets open on it. */
export function ourMatch(markets: readonly LabelledMarket[]): Match {
  const days = new Map<number, Matcher>();
  return ({ text, tsMs }) => {
    const dayMs = Math.floor(tsMs / DAY_MS) * DAY_MS;
    const matcher = days.get(dayMs) ?? matcherOf(markets, dayMs);
    days.set(dayMs, matcher);
    return matcher.match(text, tsMs).map(({ condition_id: conditionId, term }) => ({ conditionId, term }));
  };
}

function matcherOf(markets: readonly LabelledMarket[], dayMs: number): Matcher {
  const open = markets.filter(({ openedMs, closedMs }) => openedMs < dayMs + DAY_MS && closedMs > dayMs);
  return createMatcher(
    open.map((market) => ({
      condition_id: market.conditionId,
      event_slug: market.eventSlug,
      event_title: market.eventTitle,
      question: market.question,
      tags: market.tags,
      opened_ms: market.openedMs,
      closed_ms: market.closedMs - 1,
      ends_ms: market.endsMs,
    })),
    dayMs,
  );
}
