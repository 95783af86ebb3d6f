import { keyOf, type WordCounts } from "./count-words.ts";
import type { Entry } from "./find-terms.ts";
import { foldText } from "./fold-text.ts";
import { BROAD_NAMES, PROVISIONAL } from "./word-lists.ts";
import {
  baseTopic,
  lastNameOf,
  termsOfLevel,
  termsOfName,
  termsOfPhrase,
  termsOfTopic,
  weightOfTerm,
  type Term,
} from "./name-terms.ts";
import type { MarketWords } from "./read-market.ts";

/** A subject of markets. */
export type Concept = {
  readonly isName: boolean;
  /** So common that it identifies no market. */
  readonly isBroad: boolean;
  /** Informative weight: higher for rare words, lower for subjects of many events. */
  readonly weight: number;
};

/** A concept in this share of all events or more is broad. */
const BROAD_SHARE = 0.05;
const FEWEST_EVENTS = 100;
const BROAD_WEIGHT = 0.4;
/** Above any weight: names are rarer than words. */
const NAME_RANK = 10;

/** American markets name only the other side. */
const isOurs = (text: string): boolean => /^ (?:us|u s|usa|america|united states) $/u.test(keyOf(text));

/** Assigns numbers to the subjects of markets; each number stands for all ways to say it. */
export class ConceptBook {
  readonly concepts: Concept[] = [];
  readonly #counts: WordCounts;
  readonly #numbers = new Map<string, number>();
  readonly #terms: (readonly Term[])[] = [];

  constructor(counts: WordCounts) {
    this.#counts = counts;
  }

  name(text: string): number {
    return this.#put(text, true, () => this.#termsWithLast(text));
  }

  /** One of the two parties between which something happens: a country's capital and leader stand for it too. */
  side(text: string): number {
    const others = PROVISIONAL.get(keyOf(text).trim()) ?? [];
    const provisional = others
      .flatMap((name) => termsOfName(name))
      .map(({ text: folded, plain, case: letters }) => ({
        text: folded,
        plain,
        case: letters,
        isProvisional: true as const,
      }));
    return this.#put(text, true, () => [...this.#termsWithLast(text), ...provisional], "s");
  }

  topic(word: string, isOfSides = false): number {
    // Between two named parties, "war" means the same as the ceasefire that would end it.
    if (isOfSides && baseTopic(word) === "ceasefire")
      return this.#put("war", false, () => ["ceasefire", "war"].flatMap((one) => termsOfTopic(one)), "w");
    return this.#put(baseTopic(word), false, () => termsOfTopic(word));
  }

  own({ kind, text }: NonNullable<MarketWords["own"]>): number {
    if (kind === "name") return this.name(text);
    if (kind === "level") return this.#put(text, false, () => termsOfLevel(text));
    const { plain, folded } = foldText(text);
    return this.#put(`= ${text}`, false, () => [{ text: folded, plain, case: "any" }]);
  }

  /** Any one of several phrases, which do not identify a market by themselves. */
  phrases(id: string, some: readonly string[]): number {
    return this.#put(`# ${id}`, false, () => some.flatMap(termsOfPhrase), "p");
  }

  /** Whether a name alone identifies its subject: several words that only one event has. */
  isEnough(text: string): boolean {
    return keyOf(text).trim().includes(" ") && this.#counts.eventsOf(text) <= 1;
  }

  weightiest(some: readonly number[]): number | undefined {
    return some.toSorted((a, b) => this.#rank(b) - this.#rank(a) || a - b)[0];
  }

  entries(): Entry[] {
    return this.#terms.flatMap((terms, concept) => {
      const isName = this.concepts[concept]?.isName === true;
      return terms.map((term) => ({ term, concept, isName }));
    });
  }

  #put(text: string, isName: boolean, termsOf: () => readonly Term[], kind = isName ? "n" : "t"): number {
    const id = `${kind}${keyOf(text)}`;
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.concepts.length;
    this.#numbers.set(id, number);
    const many = this.#counts.eventsOf(text);
    const all = this.#counts.events();
    const isKnown = kind === "s" ? isOurs(text) : isName && BROAD_NAMES.has(keyOf(text).trim());
    const isBroad = isKnown || (kind !== "s" && all >= FEWEST_EVENTS && many / all > BROAD_SHARE);
    const rarity = weightOfTerm(keyOf(text)) / (1 + Math.log10(Math.max(1, many)));
    this.concepts.push({ isName, isBroad, weight: isBroad ? rarity * BROAD_WEIGHT : rarity });
    this.#terms.push(termsOf());
    return number;
  }

  #termsWithLast(name: string): readonly Term[] {
    const last = lastNameOf(name, true);
    const granted = last && lastNameOf(name, this.#counts.mayBeWord(name, last.text));
    const terms = termsOfName(name);
    return granted && this.#counts.isBearer(name, granted.text) ? [...terms, granted] : terms;
  }

  #rank(one: number): number {
    const concept = this.concepts[one];
    return (concept?.isName && !concept.isBroad ? NAME_RANK : 0) + (concept?.weight ?? 0);
  }
}
