import { ConceptBook, type Concept } from "./concept-book.ts";
import { countWords, type WordCounts } from "./count-words.ts";
import type { Entry } from "./find-terms.ts";
import { foldText } from "./fold-text.ts";
import { BROAD_COUNTRIES } from "./generic-words.ts";
import type { MatchMarket } from "./match-market.ts";
import { namedTimes } from "./named-times.ts";
import { candidaciesOf, partyRaceOf, raceWords, type Candidacy, type PartyRace, type RaceWords } from "./race-rules.ts";
import { isParty, readMarket, type MarketWords } from "./read-market.ts";
import type { TitleConcepts } from "./title-concepts.ts";

/** When a text is about a market; concepts go by their numbers. */
export type MarketRule = {
  readonly market: MatchMarket;
  /** What sets it apart within its event. */
  readonly own: number | undefined;
  /** What else has to be spoken of: the words of its question, or those of its event's title. */
  readonly contexts: readonly (readonly number[])[];
  /** The only thing it speaks of says enough alone. */
  readonly isEnough: boolean;
  /** Its answer is a party. */
  readonly isParty: boolean;
  /** It speaks of a law, a treaty or a strait that no other event names: the name says enough. */
  readonly isThing: boolean;
  /** Countries that are named beside somebody. */
  readonly places: readonly number[];
  /** What has to be said whatever else is: that somebody goes ("out"). */
  readonly required: readonly number[];
  /** The years and months its question or its event's title names. */
  readonly years: readonly string[];
  readonly months: readonly string[];
  /** Its question, folded. */
  readonly asked: string;
  /** Its answer stands for election. */
  candidacy: Candidacy | undefined;
};
export type EventRule = {
  readonly slug: string;
  /** Its title says enough in other words too. */
  readonly isTold: boolean;
  readonly context: readonly number[];
  readonly term: string;
  readonly years: readonly string[];
  readonly months: readonly string[];
  /** Its title, folded. */
  readonly asked: string;
  readonly markets: readonly MarketRule[];
};
export type Rules = {
  readonly concepts: readonly Concept[];
  readonly entries: readonly Entry[];
  /** Rules by the concept without which they cannot hold. */
  readonly byAnchor: ReadonlyMap<number, readonly MarketRule[]>;
  readonly byTitle: ReadonlyMap<number, readonly EventRule[]>;
  readonly bySlug: ReadonlyMap<string, EventRule>;
  readonly byRace: ReadonlyMap<number, readonly PartyRace[]>;
  readonly raceWords: RaceWords;
};

const THING = /(?: (?:act|bill|agreement|accords?|treaty|pact|amendment|resolution)|^strait of .+)$/iu;

/** A title without a name tells its event by so many words. */
const FEWEST_TOPICS = 3;

type Read = { readonly market: MatchMarket; readonly words: MarketWords };

/** Gives its caller a turn after each market: of tens of thousands it takes seconds. */
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
  const concepts = (some: TitleConcepts): number[] => [
    ...new Set([
      ...some.names.map((name) => (some.sides.includes(name) ? book.side(name) : book.name(name))),
      ...some.topics.map((word) => book.topic(word, some.sides.length > 0)),
    ]),
  ];
  const ruleOf = ({ market, words }: Read): MarketRule => {
    const own = words.own && book.own(words.own);
    // What an event's title leaves out its questions say.
    const asked = own === undefined ? [words.question, words.title] : [words.question];
    const contexts = asked.map((some) => concepts(some).filter((one) => one !== own));
    const required = asked.some(({ topics }) => topics.includes("out")) ? [book.topic("out")] : [];
    const asks = foldText(market.question).folded;
    return {
      market,
      own,
      contexts,
      required,
      ...timesOf(asks + foldText(market.event_title).folded),
      asked: asks,
      isParty: words.own?.kind === "name" && isParty(words.own.text),
      isThing: own === undefined && words.question.names.some((name) => THING.test(name) && book.isEnough(name)),
      places: words.question.names
        .filter((name) => BROAD_COUNTRIES.has(name.toLowerCase()))
        .map((name) => book.name(name)),
      isEnough: words.question.names.some((name) => book.isEnough(name)),
      candidacy: undefined,
    };
  };
  const rules: MarketRule[] = [];
  for (const one of read) {
    rules.push(ruleOf(one));
    yield;
  }
  const byAnchor = new Map<number, MarketRule[]>();
  for (const [index, rule] of rules.entries()) {
    if (read[index]?.words.isWindow) continue;
    const anchors = rule.own === undefined ? rule.contexts.map((some) => book.weightiest(some)) : [rule.own];
    for (const anchor of new Set(anchors)) if (anchor !== undefined) push(byAnchor, anchor, rule);
  }
  const ofEvents = yield* eventRules(rules, read, concepts, book, counts);
  return { concepts: book.concepts, raceWords: raceWords(book), entries: book.entries(), byAnchor, ...ofEvents };
}

function* eventRules(
  rules: readonly MarketRule[],
  read: readonly Read[],
  concepts: (some: TitleConcepts) => number[],
  book: ConceptBook,
  counts: WordCounts,
): Generator<void, Pick<Rules, "byTitle" | "bySlug" | "byRace">> {
  const byRace = new Map<number, PartyRace[]>();
  const byTitle = new Map<number, EventRule[]>();
  const bySlug = new Map<string, EventRule>();
  for (const [slug, indexes] of Map.groupBy(rules.keys(), (index) => rules[index]?.market.event_slug ?? "")) {
    yield;
    const [first] = indexes;
    const words = first === undefined ? undefined : read[first]?.words;
    if (slug === "" || first === undefined || words === undefined) continue;
    const context = concepts(words.title);
    const markets = indexes.flatMap((index) => rules[index] ?? []);
    const title = rules[first]?.market.event_title ?? "";
    const asked = foldText(title).folded;
    const isTold = words.title.names.length > 0 || words.title.topics.length >= FEWEST_TOPICS;
    const event = {
      slug,
      isTold,
      context,
      term: title,
      ...timesOf(asked),
      asked,
      markets,
    };
    bySlug.set(slug, event);
    const said = indexes.flatMap((index) => read[index]?.words ?? []);
    for (const [rule, candidacy] of candidaciesOf(title, markets, said, counts)) rule.candidacy = candidacy;
    const race = partyRaceOf(event, said, book);
    if (race !== undefined) push(byRace, race.needs[0] ?? race.voting, race);
    const anchor = book.weightiest(context);
    if (words.isWindow || anchor === undefined || markets.some(({ own }) => own === undefined)) continue;
    push(byTitle, anchor, event);
  }
  return { byTitle, bySlug, byRace };
}

function timesOf(folded: string): Pick<MarketRule, "years" | "months"> {
  const { years, months } = namedTimes(folded);
  return { years: years.map(({ name }) => name), months: months.map(({ name }) => name) };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
