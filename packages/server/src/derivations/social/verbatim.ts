import type { EventRule, Rules } from "./build-rules.ts";
import type { MarketRule } from "./market-rule.ts";
import type { Hit } from "./find-terms.ts";

/** Shorter questions and titles are told by what is around them too. */
const FEWEST_LETTERS = 14;

/** What a text says word for word, and where that is (folded, both ends included). */
export type Verbatim = {
  readonly markets: readonly MarketRule[];
  readonly events: readonly EventRule[];
  readonly isWithin: (hit: Hit) => boolean;
};

type Span = { readonly start: number; readonly end: number };

/** Questions that stand in a text word for word, and titles that do without one of their questions. */
export function findVerbatim(folded: string, concepts: Iterable<number>, rules: Rules): Verbatim {
  const markets = new Map<MarketRule, Span>();
  const events = new Map<EventRule, Span>();
  for (const concept of concepts) {
    for (const rule of rules.byAnchor.get(concept) ?? []) look(markets, rule, folded);
    for (const event of rules.byTitle.get(concept) ?? []) look(events, event, folded);
  }
  const asked = [...markets.values()];
  for (const [event, span] of events) if (asked.some((one) => covers(one, span))) events.delete(event);
  const spans = [...asked, ...events.values()];
  return {
    markets: [...markets].filter(([, span]) => !asked.some((one) => isLonger(one, span))).map(([rule]) => rule),
    events: [...events.keys()],
    isWithin: (hit) => spans.some((span) => covers(span, hit)),
  };
}

function look<T extends { readonly asked: string }>(found: Map<T, Span>, rule: T, folded: string): void {
  if (rule.asked.length < FEWEST_LETTERS) return;
  const start = folded.indexOf(rule.asked);
  if (start >= 0) found.set(rule, { start, end: start + rule.asked.length });
}

const covers = (one: Span, other: Span): boolean => one.start <= other.start && one.end >= other.end;
const isLonger = (one: Span, other: Span): boolean =>
  covers(one, other) && one.end - one.start > other.end - other.start;
