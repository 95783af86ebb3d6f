import type { MarketRule } from "./market-rule.ts";
import {
  CAMPAIGN_WORDS,
  CONTROL_WORDS,
  LOWER_OFFICES,
  NATIONAL_VOTING_WORDS,
  NOMINATION_WORDS,
  OTHER_RACES,
  VOTING_WORDS,
} from "./word-lists.ts";
import type { ConceptBook } from "./concept-book.ts";
import type { WordCounts } from "./count-words.ts";
import { isNomination, isNominee, isRace, isParty, type MarketWords } from "./read-market.ts";

/** Role of a market's answer in an election: one candidate among others. */
export type Candidacy = {
  /** The other candidates of the event. */
  readonly rivals: readonly number[];
  readonly ends_ms: number;
  /** It is about a party's choice of candidate. */
  readonly isNomination: boolean;
  /** Campaign words refer to another race: only words of nominations indicate this one. */
  readonly isChoice: boolean;
  /** The office is a presidency. */
  readonly isPresidential: boolean;
  /** Markets about the candidate are mostly about the race's result: the name alone indicates it. */
  readonly isOfRaceAlone: boolean;
};
/** An election whose answers are parties: in one place, or in a whole country. */
export type PartyRace = {
  readonly slug: string;
  readonly term: string;
  readonly years: readonly string[];
  readonly months: readonly string[];
  readonly ends_ms: number;
  /** Concepts that are required: the place, and the office unless it is a presidency. */
  readonly needs: readonly number[];
  /** Words of voting: any for one place, or those that only a national vote has. */
  readonly voting: number;
  readonly isPresidential: boolean;
  readonly markets: readonly MarketRule[];
};
/** Concept numbers of the words that all races share. */
export type RaceWords = {
  readonly campaign: number;
  readonly nomination: number;
  readonly vote: number;
  readonly offices: number;
  readonly others: number;
  readonly control: number;
};

const OFFICE_WORDS = new Set(["election", "presidential", "nominee", "primary", "mayoral"]);

export const raceWords = (book: ConceptBook): RaceWords => ({
  campaign: book.phrases("campaign", CAMPAIGN_WORDS),
  nomination: book.phrases("nomination", NOMINATION_WORDS),
  vote: book.phrases("vote", ["vote", "voting"]),
  offices: book.phrases("offices", LOWER_OFFICES),
  others: book.phrases("others", OTHER_RACES),
  control: book.phrases("control", [...CAMPAIGN_WORDS, ...CONTROL_WORDS]),
});

/** Marks an event's markets as candidacies; undefined if it is no race of people, or has no end. */
export function candidaciesOf(
  title: string,
  markets: readonly MarketRule[],
  words: readonly MarketWords[],
  counts: WordCounts,
): Map<MarketRule, Candidacy> {
  const found = new Map<MarketRule, Candidacy>();
  if (!isRace(title)) return found;
  const named = markets.flatMap((rule, index) => {
    const own = words[index]?.own;
    return rule.own !== undefined && own?.kind === "name" && !isParty(own.text) ? [{ rule, name: own.text }] : [];
  });
  for (const { rule, name } of named) {
    const ends_ms = rule.market.ends_ms;
    if (ends_ms === undefined) continue;
    const rivals = named.flatMap((other) => (other.rule.own === rule.own ? [] : [other.rule.own ?? -1]));
    found.set(rule, {
      rivals,
      ends_ms,
      isNomination: isNomination(title),
      isChoice: isNominee(title) || (isNomination(title) && counts.isRunning(name)),
      isPresidential: /\bpresident/iu.test(title),
      isOfRaceAlone: counts.isOfRaceAlone(name),
    });
  }
  return found;
}

/** An election identified by a place and voting, or by a country's voting; undefined if it is none. */
export function partyRaceOf(
  event: Pick<PartyRace, "slug" | "term" | "years" | "months" | "markets">,
  words: readonly MarketWords[],
  book: ConceptBook,
): PartyRace | undefined {
  const ends_ms = event.markets[0]?.market.ends_ms;
  const [first] = words;
  if (!isRace(event.term) || ends_ms === undefined || first === undefined) return undefined;
  const isPresidential = /\bpresidential\b/iu.test(event.term) && !/nomin|primary/iu.test(event.term);
  const places = first.title.names.filter((name) => !isParty(name));
  const isOfParties = words.every(({ own }) => own?.kind === "name" && isParty(own.text));
  if (places.length > 0 && isOfParties) {
    const offices = first.title.topics.filter((word) => !OFFICE_WORDS.has(word));
    const needs = [...places.map((name) => book.name(name)), ...offices.map((word) => book.topic(word))];
    return { ...event, ends_ms, needs, voting: book.phrases("voting", VOTING_WORDS), isPresidential };
  }
  const isNational = event.markets[0]?.market.tags.some((tag) => /^us\b.*\belections?$/iu.test(tag)) === true;
  if (!isPresidential || !isNational || places.length > 0) return undefined;
  return { ...event, ends_ms, needs: [], voting: book.phrases("national", NATIONAL_VOTING_WORDS), isPresidential };
}
