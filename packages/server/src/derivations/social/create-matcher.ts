import { atOnce, beside } from "../../definition/pacing.ts";
import { buildRules, type EventRule, type Rules } from "./build-rules.ts";
import { buildTermFinder, type Hit } from "./find-terms.ts";
import { foldText, namedTimes } from "./fold-text.ts";
import type { MarketRule } from "./market-rule.ts";
import type { MatchMarket } from "./read-market.ts";
import { isOfCandidate, isOfRace } from "./judge-race.ts";
import { isAboutEvent, isAboutMarket, type Found } from "./judge-rule.ts";

/** Shorter questions and titles are matched only together with their context. */
const FEWEST_LETTERS = 14;

/** Questions and titles that a text contains word for word, and their positions (folded, both ends included). */
type Verbatim = {
  readonly markets: readonly MarketRule[];
  readonly events: readonly EventRule[];
  readonly isWithin: (hit: Hit) => boolean;
};

type Span = { readonly start: number; readonly end: number };

/** Finds questions contained in a text word for word, and titles that are there without one of their questions. */
function findVerbatim(folded: string, concepts: Iterable<number>, rules: Rules): Verbatim {
  const markets = new Map<MarketRule, Span>();
  const events = new Map<EventRule, Span>();
  for (const concept of concepts) {
    for (const rule of rules.byAnchor.get(concept) ?? []) look(markets, rule, folded);
    for (const event of rules.byTitle.get(concept) ?? []) look(events, event, folded);
  }
  const requested = [...markets.values()];
  for (const [event, span] of events) if (requested.some((one) => covers(one, span))) events.delete(event);
  const spans = [...requested, ...events.values()];
  return {
    markets: [...markets].filter(([, span]) => !requested.some((one) => isLonger(one, span))).map(([rule]) => rule),
    events: [...events.keys()],
    isWithin: (hit) => spans.some((span) => covers(span, hit)),
  };
}

function look<T extends { readonly requested: string }>(found: Map<T, Span>, rule: T, folded: string): void {
  if (rule.requested.length < FEWEST_LETTERS) return;
  const start = folded.indexOf(rule.requested);
  if (start >= 0) found.set(rule, { start, end: start + rule.requested.length });
}

const covers = (one: Span, other: Span): boolean => one.start <= other.start && one.end >= other.end;
const isLonger = (one: Span, other: Span): boolean =>
  covers(one, other) && one.end - one.start > other.end - other.start;

const LINKS = /polymarket\.com\/(?:[a-z]{2}\/)?event\/([a-z0-9-]{1,200})/giu;
const MAX_TEXT = 10_000;
const MAX_LINKS = 5;

/** Slugs of Polymarket events that a text links to. */
const linkedEvents = (text: string): ReadonlySet<string> =>
  text.includes("/event/")
    ? new Set(
        [...text.slice(0, MAX_TEXT).matchAll(LINKS)].slice(0, MAX_LINKS).map(([, slug = ""]) => slug.toLowerCase()),
      )
    : new Set();

/** A market that a text is about, and the term found. */
export type Mention = { readonly condition_id: string; readonly event_slug: string; readonly term: string };
export type Matcher = {
  /** The markets that a text is about, if open at a time (Unix ms; all if absent). At most 50. */
  readonly match: (text: string, tsMs?: number) => Mention[];
  /** Number of terms searched for. */
  readonly size: number;
};

/** A post that matches more markets than this is about none of them in particular. */
export const MAX_MARKETS = 50;

/**
 * Creates a matcher of texts to markets. `knownBeforeMs`: word frequencies and bearers of names are counted over events
 * opened before it, so that a matcher created later, with more markets, gives the same result for a text.
 */
export const createMatcher = (markets: readonly MatchMarket[], knownBeforeMs?: number): Matcher =>
  atOnce(buildMatcher(markets, knownBeforeMs));

/** The same, yielding to other work of the process. */
export const createMatcherBeside = (markets: readonly MatchMarket[], knownBeforeMs?: number): Promise<Matcher> =>
  beside(buildMatcher(markets, knownBeforeMs));

function* buildMatcher(markets: readonly MatchMarket[], knownBeforeMs?: number): Generator<void, Matcher> {
  const rules = yield* buildRules(markets, knownBeforeMs);
  const finder = yield* buildTermFinder(rules.entries);
  return {
    size: finder.size,
    match: (text, tsMs) => {
      const folded = foldText(text);
      const hits = finder.find(folded);
      const linked = linkedEvents(text);
      if (hits.length === 0 && linked.size === 0) return [];
      return judge(rules, hits, folded.folded, linked, tsMs);
    },
  };
}

/** Positions of one concept beyond this number are ignored. */
const MAX_PLACES = 20;

function placesOf(hits: readonly Hit[]): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (const { concept, start } of hits) {
    const known = places.get(concept);
    if (known === undefined) places.set(concept, [start]);
    else if (known.length < MAX_PLACES) known.push(start);
  }
  return places;
}

function judge(
  rules: Rules,
  hits: readonly Hit[],
  folded: string,
  linked: ReadonlySet<string>,
  tsMs: number | undefined,
): Mention[] {
  const mentions = new Map<string, Mention>();
  const named = new Set<string>();
  const add = (rule: MarketRule, term: string): void => {
    const { condition_id, event_slug, opened_ms, closed_ms } = rule.market;
    if (tsMs !== undefined && (tsMs < opened_ms || tsMs > closed_ms)) return;
    named.add(event_slug);
    mentions.set(condition_id, { condition_id, event_slug, term });
  };
  const verbatim = findVerbatim(folded, new Set(hits.map(({ concept }) => concept)), rules);
  for (const rule of verbatim.markets) add(rule, rule.market.question);
  const events = new Set<EventRule>([...linked].flatMap((slug) => rules.bySlug.get(slug) ?? []));
  for (const event of verbatim.events) events.add(event);
  // Words inside a verbatim match are no evidence of anything else.
  const others = hits.filter((hit) => !verbatim.isWithin(hit));
  const found: Found = { places: placesOf(others), tsMs, ...namedTimes(folded) };
  const terms = new Map(others.toReversed().map(({ concept, text }) => [concept, text]));
  for (const [concept, term] of terms) {
    for (const rule of rules.byAnchor.get(concept) ?? []) {
      if (isAboutMarket(rule, concept, found, rules) || isOfCandidate(rule, concept, found, rules)) add(rule, term);
    }
    for (const event of rules.byTitle.get(concept) ?? []) {
      if (event.isReported && isAboutEvent(event, concept, found, rules)) events.add(event);
    }
    for (const race of rules.byRace.get(concept) ?? []) {
      const event = rules.bySlug.get(race.slug);
      if (event && isOfRace(race, concept, found, rules.raceWords)) events.add(event);
    }
  }
  for (const event of linked.size === 0 ? [] : events) {
    if (!linked.has(event.slug)) continue;
    for (const rule of event.markets) if (rule.own !== undefined && found.places.has(rule.own)) add(rule, event.slug);
  }
  // An event named without any of its answers matches all of its markets.
  for (const event of events) {
    if (named.has(event.slug) || event.markets.length > MAX_MARKETS) continue;
    for (const rule of event.markets) add(rule, event.term);
  }
  if (mentions.size > MAX_MARKETS) return [];
  return [...mentions.values()].toSorted((a, b) => (a.condition_id < b.condition_id ? -1 : 1));
}
