import { ConceptBook, type Concept } from "./concept-book.ts";
import { countWords, type WordCounts } from "./count-words.ts";
import type { Entry } from "./find-terms.ts";
import { foldText } from "./fold-text.ts";
import { conceptsOf, timesOf, toMarketRule, type MarketRule } from "./market-rule.ts";
import { type MatchMarket, readMarket, type MarketWords } from "./read-market.ts";
import { candidaciesOf, partyRaceOf, raceWords, type Candidacy, type PartyRace, type RaceWords } from "./race-rules.ts";

export type EventRule = {
  readonly slug: string;
  /** Its title is distinctive enough in other words too. */
  readonly isReported: boolean;
  readonly context: readonly number[];
  readonly term: string;
  readonly years: readonly string[];
  readonly months: readonly string[];
  /** Its title, folded. */
  readonly requested: string;
  readonly markets: readonly MarketRule[];
};
export type Rules = {
  readonly concepts: readonly Concept[];
  readonly entries: readonly Entry[];
  /** Rules keyed by the concept that they require. */
  readonly byAnchor: ReadonlyMap<number, readonly MarketRule[]>;
  readonly byTitle: ReadonlyMap<number, readonly EventRule[]>;
  readonly bySlug: ReadonlyMap<string, EventRule>;
  readonly byRace: ReadonlyMap<number, readonly PartyRace[]>;
  readonly raceWords: RaceWords;
  readonly candidacies: ReadonlyMap<MarketRule, Candidacy>;
};

/** Fewest topic words by which a title without a name identifies its event. */
const FEWEST_TOPICS = 3;

type Read = { readonly market: MatchMarket; readonly words: MarketWords };

/** Yields after each market, because tens of thousands take seconds. */
export function* buildRules(
  markets: readonly MatchMarket[],
  knownBeforeMs = Number.POSITIVE_INFINITY,
): Generator<void, Rules> {
  const read: Read[] = [];
  for (const market of markets) {
    read.push({ market, words: readMarket(market) });
    yield;
  }
  const counts = yield* countWords(read, ({ opened_ms }) => opened_ms < knownBeforeMs);
  const book = new ConceptBook(counts);
  const rules: MarketRule[] = [];
  for (const one of read) {
    rules.push(toMarketRule(one.market, one.words, book));
    yield;
  }
  const byAnchor = new Map<number, MarketRule[]>();
  for (const [index, rule] of rules.entries()) {
    if (read[index]?.words.isWindow) continue;
    const anchors = rule.own === undefined ? rule.contexts.map(({ words }) => book.weightiest(words)) : [rule.own];
    for (const anchor of new Set(anchors)) if (anchor !== undefined) push(byAnchor, anchor, rule);
  }
  const ofEvents = yield* eventRules(rules, read, book, counts);
  return { concepts: book.concepts, raceWords: raceWords(book), entries: book.entries(), byAnchor, ...ofEvents };
}

function* eventRules(
  rules: readonly MarketRule[],
  read: readonly Read[],
  book: ConceptBook,
  counts: WordCounts,
): Generator<void, Pick<Rules, "byTitle" | "bySlug" | "byRace" | "candidacies">> {
  const candidacies = new Map<MarketRule, Candidacy>();
  const byRace = new Map<number, PartyRace[]>();
  const byTitle = new Map<number, EventRule[]>();
  const bySlug = new Map<string, EventRule>();
  for (const [slug, indexes] of Map.groupBy(rules.keys(), (index) => rules[index]?.market.event_slug ?? "")) {
    yield;
    const [first] = indexes;
    const words = first === undefined ? undefined : read[first]?.words;
    if (slug === "" || first === undefined || words === undefined) continue;
    const context = conceptsOf(words.title, book);
    const markets = indexes.flatMap((index) => rules[index] ?? []);
    const title = rules[first]?.market.event_title ?? "";
    const requested = foldText(title).folded;
    const isReported = words.title.names.length > 0 || words.title.topics.length >= FEWEST_TOPICS;
    const event = {
      slug,
      isReported,
      context,
      term: title,
      ...timesOf(requested),
      requested,
      markets,
    };
    bySlug.set(slug, event);
    const said = indexes.flatMap((index) => read[index]?.words ?? []);
    for (const [rule, candidacy] of candidaciesOf(title, markets, said, counts)) candidacies.set(rule, candidacy);
    const race = partyRaceOf(event, said, book);
    if (race !== undefined) push(byRace, race.needs[0] ?? race.voting, race);
    const anchor = book.weightiest(context);
    if (words.isWindow || anchor === undefined || markets.some(({ own }) => own === undefined)) continue;
    push(byTitle, anchor, event);
  }
  return { byTitle, bySlug, byRace, candidacies };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
