import type { ConceptBook } from "./concept-book.ts";
import { foldText, namedTimes } from "./fold-text.ts";
import { BROAD_COUNTRIES } from "./word-lists.ts";
import { type MatchMarket, isParty, type MarketWords } from "./read-market.ts";
import type { TitleConcepts } from "./title-concepts.ts";

/** Conditions under which a text is about a market; concepts are given by number. */
export type MarketRule = {
  readonly market: MatchMarket;
  /** Concept that distinguishes it within its event. */
  readonly own: number | undefined;
  /** Other concepts that have to be found: the words of its question, or those of its event's title. */
  readonly contexts: readonly Context[];
  /** Its only subject identifies it alone. */
  readonly isEnough: boolean;
  /** Its answer is a party. */
  readonly isParty: boolean;
  /** It is about a law, a treaty or a strait that no other event names: the name is enough. */
  readonly isThing: boolean;
  /** Concepts always required, such as somebody leaving ("out"). */
  readonly required: readonly number[];
  /** The years and months its question or its event's title names. */
  readonly years: readonly string[];
  readonly months: readonly string[];
  /** Its question, folded. */
  readonly requested: string;
};
export type Context = {
  readonly words: readonly number[];
  /** Names that distinguish it from most other markets. */
  readonly names: readonly number[];
  /** Names that have to be found if nothing else distinguishes the market. */
  readonly needed: readonly number[];
  /** The words of the question with the highest weight. */
  readonly requested: readonly number[];
};

/** Words with this share of the weight of a question's heaviest word count as asked. */
const REQUESTED_SHARE = 0.75;
const THING = /(?: (?:act|bill|agreement|accords?|treaty|pact|amendment|resolution)|^strait of .+)$/iu;

export function toMarketRule(market: MatchMarket, words: MarketWords, book: ConceptBook): MarketRule {
  const own = words.own && book.own(words.own);
  // A question contains what its event's title omits.
  const read = own === undefined ? [words.question, words.title] : [words.question];
  const required = read.some(({ topics }) => topics.includes("out")) ? [book.topic("out")] : [];
  const places = words.question.names.filter((name) => BROAD_COUNTRIES.has(name.toLowerCase()));
  const requested = foldText(market.question).folded;
  const numbered = places.map((name) => book.name(name));
  return {
    market,
    own,
    contexts: read.map((some) =>
      contextOf(
        conceptsOf(some, book).filter((one) => one !== own),
        required.length > 0,
        numbered,
        book,
      ),
    ),
    required,
    ...timesOf(requested + foldText(market.event_title).folded),
    requested,
    isParty: words.own?.kind === "name" && isParty(words.own.text),
    isThing: own === undefined && words.question.names.some((name) => THING.test(name) && book.isEnough(name)),
    isEnough: words.question.names.some((name) => book.isEnough(name)),
  };
}

/** Numbers of a title's concepts. */
export const conceptsOf = (some: TitleConcepts, book: ConceptBook): number[] => [
  ...new Set([
    ...some.names.map((name) => (some.sides.includes(name) ? book.side(name) : book.name(name))),
    ...some.topics.map((word) => book.topic(word, some.sides.length > 0)),
  ]),
];

/** "A and B": both are needed; "A out as B": A alone; "A on China": China, if A is mentioned everywhere. */
function contextOf(words: readonly number[], isOut: boolean, places: readonly number[], book: ConceptBook): Context {
  const { concepts } = book;
  const names = words.filter((one) => concepts[one]?.isName === true && !concepts[one].isBroad);
  const topics = words.filter((one) => concepts[one]?.isName === false);
  const weightOf = (one: number): number => concepts[one]?.weight ?? 0;
  const most = Math.max(...topics.map(weightOf));
  const requested = topics.filter((one) => weightOf(one) >= most * REQUESTED_SHARE);
  return { words, names, needed: isOut ? names.slice(0, 1) : names.length > 0 ? names : places, requested };
}

export function timesOf(folded: string): Pick<MarketRule, "years" | "months"> {
  const { years, months } = namedTimes(folded);
  return { years: years.map(({ name }) => name), months: months.map(({ name }) => name) };
}
