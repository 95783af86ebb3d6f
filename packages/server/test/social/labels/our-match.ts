import { createMatcher } from "../../../src/derivations/social/create-matcher.ts";
import type { LabelledMarket } from "./load-markets.ts";
import type { Match } from "./measure-matcher.ts";

/** The service's matcher over the labelled markets. */
export function ourMatch(markets: readonly LabelledMarket[]): Match {
  const matcher = createMatcher(
    markets.map((market) => ({
      condition_id: market.conditionId,
      event_slug: market.eventSlug,
      event_title: market.eventTitle,
      question: market.question,
      tags: market.tags,
      opened_ms: market.openedMs,
      closed_ms: market.closedMs - 1,
    })),
  );
  return ({ text, tsMs }) =>
    matcher.match(text, tsMs).map(({ condition_id: conditionId, term }) => ({ conditionId, term }));
}
